import { useEffect, useRef, useState, type SubmitEvent } from "react";

import { PaneBar, PaneBody, PaneFoot } from "../../app/Panes";
import { Button } from "../../components/Button";
import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { ErrorNote } from "../../components/States";
import { Tabs } from "../../components/Tabs";
import { oneLine } from "../../format/text";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import { call } from "../../store/call";
import { t } from "../../strings";
import type { ServerView } from "../../types";
import { StartDemo } from "../first/StartDemo";
import { draftOf, EMPTY_DRAFT, gapsOf, thingsOf, transportOf, type LiteralOf, type ServerDraft, type Spot } from "./draft";
import { literalName } from "./SecretRows";
import css from "./ServerForm.module.css";
import { errorsAt, spotOf } from "./spot";
import { CommandFields, RootsField, UrlFields } from "./TransportFields";

const FORM = "server-form";
const KINDS = [
  { value: "http", label: t.servers.kindUrl },
  { value: "stdio", label: t.servers.kindCommand },
] as const;

interface Props {
  /** The server to change; none to add one. */
  server?: ServerView;
  /** There are no servers yet: the demo server is offered. */
  first?: boolean;
  onDone: (server: ServerView) => void;
  /** Goes to where servers are taken over from elsewhere. */
  onImport?: () => void;
  onCancel: (() => void) | undefined;
}

/** The form that adds a server, or changes how one is reached. */
export function ServerForm({ server, first = false, onDone, onImport, onCancel }: Props) {
  const host = useHost();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<ServerDraft>(server ? draftOf(server) : EMPTY_DRAFT);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<ReadonlyMap<Spot, string>>(new Map());
  const [failure, setFailure] = useState<DeskError>();
  const change = (part: Partial<ServerDraft>) => setDraft((before) => ({ ...before, ...part }));

  // The first field when a person opened the form; what does not fit when it was refused.
  useEffect(() => {
    if (!first) form.current?.querySelector("input")?.focus();
  }, [first]);
  useEffect(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus(), [errors]);

  const send = async (data: FormData) => {
    const literalOf: LiteralOf = (row) => {
      const value = data.get(literalName(row));
      return typeof value === "string" ? value : "";
    };
    const gaps = gapsOf(draft, literalOf, t.servers.missing);
    setErrors(gaps);
    setFailure(undefined);
    if (gaps.size > 0) return;
    setBusy(true);
    try {
      const transport = transportOf(draft, literalOf);
      let reply = server
        ? await call(host, { type: "edit_server", server: server.id, transport })
        : await call(host, { type: "add_server", name: draft.name.trim(), transport });
      const roots = thingsOf(draft.roots);
      if (server && roots.join("\n") !== server.roots.join("\n")) {
        reply = await call(host, { type: "set_roots", server: server.id, roots });
      }
      onDone(reply.server);
    } catch (thrown) {
      const error = DeskError.from(thrown);
      const spot = spotOf(error, draft, server === undefined);
      if (spot === undefined) setFailure(error);
      else setErrors(new Map([[spot, wordsFor(error)]]));
      setBusy(false);
    }
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy) void send(new FormData(event.currentTarget));
  };

  return (
    <>
      <PaneBar>
        <span className={css.bar}>{server ? t.servers.edit(oneLine(server.name)) : t.servers.add}</span>
      </PaneBar>
      <PaneBody label={server ? t.servers.edit(oneLine(server.name)) : t.servers.add}>
        {first && (
          <div className={css.demo}>
            <p>{t.first.try.short}</p>
            <StartDemo />
          </div>
        )}
        {onImport && (
          <div className={css.demo}>
            <p>{t.servers.import.offer}</p>
            <Button onClick={onImport}>{t.servers.import.open}</Button>
          </div>
        )}
        <form id={FORM} ref={form} className={css.form} noValidate autoComplete="off" onSubmit={onSubmit}>
          {!server && (
            <Field label={t.servers.name} hint={t.servers.nameHint} errors={errorsAt(errors, "name")}>
              {(control) => (
                <input
                  {...control}
                  className={field.input}
                  autoComplete="off"
                  spellCheck={false}
                  value={draft.name}
                  onChange={(event) => change({ name: event.target.value })}
                />
              )}
            </Field>
          )}
          <div className={css.kinds}>
            <Tabs label={t.servers.kind} value={draft.kind} onChange={(kind) => change({ kind })} tabs={KINDS} />
          </div>
          {draft.kind === "http" ? (
            <UrlFields draft={draft} change={change} errors={errors} />
          ) : (
            <CommandFields draft={draft} change={change} errors={errors} />
          )}
          {server && <RootsField draft={draft} change={change} />}
          {failure && <ErrorNote error={failure} />}
        </form>
      </PaneBody>
      <PaneFoot>
        <Button look="primary" type="submit" form={FORM} disabled={busy}>
          {busy ? t.servers.adding : server ? t.servers.save : t.servers.addIt}
        </Button>
        {onCancel && <Button onClick={onCancel}>{t.app.cancel}</Button>}
      </PaneFoot>
    </>
  );
}

function wordsFor({ code, message }: DeskError): string {
  return code === "no_keychain" ? `${message}. ${t.servers.keychainAdvice}` : message;
}
