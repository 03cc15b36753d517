import { useEffect, useRef, useState, type SyntheticEvent } from "react";

import { PaneBar, PaneBody, PaneFoot } from "../../app/Panes";
import { Button } from "../../components/Button";
import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { Section } from "../../components/Section";
import { ServerText, ServerWord } from "../../components/ServerText";
import { ErrorNote, LoadingState } from "../../components/States";
import { oneLine, visible } from "../../format/text";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { Importable, NotImported, ServerView } from "../../types";
import css from "./ServerForm.module.css";

const FORM = "import-servers";

interface Props {
  onDone: (server: ServerView) => void;
  onCancel: () => void;
}

/** What configurations name, and how many servers were taken over meanwhile. */
interface Found {
  servers: Importable[];
  skipped: NotImported[];
  taken: number;
}

/** Takes over servers that other MCP clients on this machine know, or that a pasted configuration names. */
export function ImportForm({ onDone, onCancel }: Props) {
  const { run, busy, error, clear } = useAct();
  // Not controlled: it may hold secrets, which go from here to the desk and never through our state.
  const pasted = useRef<HTMLTextAreaElement>(null);
  // How often that was changed: what was read of it before is of no use.
  const edits = useRef(0);
  const [found, setFound] = useState<Found>();
  const [left, setLeft] = useState<ReadonlySet<Importable>>(new Set());
  const wanted = found?.servers.filter((server) => !left.has(server)) ?? [];
  const textIn = () => {
    const text = pasted.current?.value ?? "";
    return text.trim() === "" ? {} : { text };
  };
  const show = (next: Found | undefined) => {
    setFound(next);
    setLeft(new Set());
  };
  const read = async () => {
    const before = edits.current;
    const reply = await run({ type: "read_configurations", ...textIn() });
    if (before === edits.current) show(reply && { ...reply, taken: 0 });
  };
  useEffect(() => {
    let gone = false;
    pasted.current?.focus();
    void run({ type: "read_configurations" }).then((reply) => {
      if (reply && !gone && edits.current === 0) setFound({ ...reply, taken: 0 });
    });
    return () => {
      gone = true;
    };
  }, [run]);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (busy || wanted.length === 0) return;
    const reply = await run({ type: "import_servers", servers: wanted, ...textIn() });
    if (!reply) return;
    const [first] = reply.servers;
    if (first !== undefined && reply.skipped.length === 0) onDone(first);
    else show({ servers: [], skipped: reply.skipped, taken: reply.servers.length });
  };
  const flip = (server: Importable) => {
    const next = new Set(left);
    if (!next.delete(server)) next.add(server);
    setLeft(next);
  };
  return (
    <>
      <PaneBar>
        <span className={css.bar}>{t.servers.import.title}</span>
      </PaneBar>
      <PaneBody label={t.servers.import.title}>
        <form id={FORM} className={css.form} noValidate autoComplete="off" onSubmit={(event) => void submit(event)}>
          <p className={css.intro}>{t.servers.import.intro}</p>
          <Field label={t.servers.import.paste} hint={t.servers.import.pasteHint} optional={t.servers.optional}>
            {(control) => (
              <textarea
                {...control}
                ref={pasted}
                className={field.input}
                rows={5}
                spellCheck={false}
                onChange={() => {
                  edits.current += 1;
                  clear();
                  show(undefined);
                }}
              />
            )}
          </Field>
          <div>
            <Button disabled={busy} onClick={() => void read()}>
              {t.servers.import.read}
            </Button>
          </div>
          {error && <ErrorNote error={error} />}
          {busy && !found && <LoadingState what={t.servers.import.reading} />}
          <p role="status" className={css.intro}>
            {found && summary(found)}
          </p>
          {found && <What found={found} left={left} flip={flip} />}
        </form>
      </PaneBody>
      <PaneFoot>
        <Button look="primary" type="submit" form={FORM} disabled={busy || wanted.length === 0}>
          {t.servers.import.take(wanted.length)}
        </Button>
        <Button onClick={onCancel}>{found && found.taken > 0 ? t.app.close : t.app.cancel}</Button>
      </PaneFoot>
    </>
  );
}

function summary({ servers, taken }: Found): string {
  if (taken > 0) return t.servers.import.taken(taken);
  return servers.length === 0 ? t.servers.import.nothing : "";
}

function What({ found, left, flip }: { found: Found; left: ReadonlySet<Importable>; flip: (server: Importable) => void }) {
  const { servers, skipped } = found;
  return (
    <>
      {servers.length > 0 && (
        <Field group label={t.servers.import.found}>
          {() =>
            servers.map((server, index) => (
              <label key={index} className={css.check}>
                <input type="checkbox" checked={!left.has(server)} onChange={() => flip(server)} />
                <span className={css.importable}>
                  <strong>
                    <ServerWord text={server.name} />
                  </strong>
                  <ServerText text={server.place} limit={400} />
                  {server.cwd !== undefined && <span className={css.soft}>{t.servers.import.in(visible(server.cwd))}</span>}
                  {server.given.length > 0 && (
                    <span className={css.soft}>{t.servers.import.given(server.given.map(oneLine).join(", "))}</span>
                  )}
                  <span className={css.soft}>
                    {server.isProgram && t.servers.import.waits}
                    {server.isProgram && server.from !== undefined && " · "}
                    {server.from !== undefined && <ServerWord text={server.from} />}
                  </span>
                </span>
              </label>
            ))
          }
        </Field>
      )}
      {skipped.length > 0 && (
        <Section title={t.servers.import.skipped}>
          <ul className={css.rows}>
            {skipped.map(({ name, from, why }, index) => (
              <li key={index}>
                {name !== undefined && (
                  <strong>
                    <ServerWord text={name} />
                  </strong>
                )}
                <ServerText text={why} limit={400} />
                {from !== undefined && (
                  <span className={css.soft}>
                    <ServerWord text={from} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
