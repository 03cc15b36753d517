import { useEffect, useRef, useState, type SyntheticEvent } from "react";

import { Button } from "../../components/Button";
import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { Section } from "../../components/Section";
import { ServerText, ServerWord } from "../../components/ServerText";
import { ErrorNote, LoadingState } from "../../components/States";
import { oneLine } from "../../format/text";
import { PaneBar, PaneBody, PaneFoot } from "../../places/Panes";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { NotImported, ServerView } from "../../types";
import { ImportEntry } from "./ImportEntry";
import { entriesOf, isChosen, isOpen, leftOf, wantedOf, type Entry } from "./imports";
import { useKeep, useLeavable } from "./leavable";
import { LeftNote } from "./LeftNote";
import { PlaceDialog } from "./PlaceDialog";
import css from "./ServerForm.module.css";
import { useLeave } from "./useLeave";

const FORM = "import-servers";

interface Props {
  /** Hands out a text that was pasted elsewhere, which may hold secrets. */
  takeText?: () => string | undefined;
  onDone: (server: ServerView) => void;
  onCancel: () => void;
}

/** What configurations name, and what became of it. */
interface Found {
  entries: Entry[];
  skipped: NotImported[];
  taken: ServerView[];
}

/** What is kept of the form while it is left. A pasted text, which may hold secrets, is none of it. */
interface Left {
  entries: readonly Entry[];
  /** A text was pasted: what was chosen is of no use without it. */
  text: boolean;
}

/** Imports servers that other MCP clients on this machine know, or that a pasted text names. Left for another place, it is found as it was. */
export function ImportForm(props: Props) {
  const [sitting, setSitting] = useState(0);
  return <Form key={sitting} {...props} onStartOver={() => setSitting((n) => n + 1)} />;
}

function Form({ takeText, onDone, onCancel, onStartOver }: Props & { onStartOver: () => void }) {
  const place = useLeavable<Left>("import");
  const { left } = place;
  const { run, busy, error, clear } = useAct();
  // Not controlled: it may hold secrets, which go from here to the desk and never through our state.
  const pasted = useRef<HTMLTextAreaElement>(null);
  // How often that was changed: what was read of it before is of no use.
  const edits = useRef(0);
  const [found, setFound] = useState<Found>();
  const [placing, setPlacing] = useState(false);
  const wanted = found?.entries.filter((entry) => entry.wanted) ?? [];
  const textIn = () => {
    const text = pasted.current?.value ?? "";
    return text.trim() === "" ? {} : { text };
  };
  const typed = (): Left | undefined => {
    // All of it was imported: nothing is left of it.
    if (found && found.taken.length > 0 && found.entries.length === 0) return undefined;
    const text = "text" in textIn();
    const entries = found ? found.entries.filter(isChosen) : (left?.entries ?? []);
    return text || entries.length > 0 ? { entries, text: text || (!found && left?.text === true) } : undefined;
  };
  useKeep(place, typed);
  const { leave, dialog } = useLeave(place, () => typed() !== undefined, onCancel, placing);
  const before = found?.entries ?? left?.entries ?? [];
  const read = async () => {
    const edit = edits.current;
    const reply = await run({ type: "read_configurations", ...textIn() });
    if (edit === edits.current) setFound(reply && { entries: entriesOf(reply.servers, before), skipped: reply.skipped, taken: [] });
  };
  useEffect(() => {
    let gone = false;
    const text = takeText?.();
    if (pasted.current && text !== undefined) pasted.current.value = text;
    pasted.current?.focus();
    const { value = "" } = pasted.current ?? {};
    // What was chosen belongs to a text that is to be pasted again: nothing else is read in its place.
    if (value === "" && left?.text) return;
    void run({ type: "read_configurations", ...(value !== "" && { text: value }) }).then((reply) => {
      if (reply && !gone && edits.current === 0) setFound({ entries: entriesOf(reply.servers, left?.entries ?? []), skipped: reply.skipped, taken: [] });
    });
    return () => {
      gone = true;
    };
  }, [run, takeText, left]);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (busy || !found || wanted.length === 0 || wanted.some(isOpen)) return;
    const reply = await run({ type: "import_servers", servers: wanted.map(wantedOf), ...textIn() });
    if (!reply) return;
    const taken = reply.outcomes.flatMap((outcome) => (outcome.outcome === "taken" ? [outcome.server] : []));
    const entries = leftOf(found.entries, wanted, reply.outcomes);
    const [only] = taken;
    // With one there is nothing to say that its own page does not.
    if (only !== undefined && wanted.length === 1 && found.taken.length === 0) {
      place.drop();
      onDone(only);
    } else setFound({ ...found, entries, taken: [...found.taken, ...taken] });
  };
  const change = (entry: Entry, part: Partial<Entry>) =>
    setFound((before) => before && { ...before, entries: before.entries.map((other) => (other === entry ? { ...other, ...part } : other)) });
  return (
    <>
      <PaneBar>
        <span className={css.bar}>{t.servers.import.title}</span>
      </PaneBar>
      <PaneBody label={t.servers.import.title}>
        <form id={FORM} className={css.form} noValidate autoComplete="off" onSubmit={(event) => void submit(event)}>
          {left && (
            <LeftNote
              missing={left.text ? t.servers.left.text : undefined}
              onStartOver={() => {
                place.drop();
                onStartOver();
              }}
            />
          )}
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
                  setFound(undefined);
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
          {found && <What found={found} onChange={change} onOpen={onDone} onPlace={() => setPlacing(true)} />}
        </form>
      </PaneBody>
      <PaneFoot>
        <Button look="primary" type="submit" form={FORM} disabled={busy || wanted.length === 0 || wanted.some(isOpen)}>
          {t.servers.import.take(wanted.length)}
        </Button>
        <Button onClick={leave}>{found && found.taken.length > 0 ? t.app.close : t.app.cancel}</Button>
      </PaneFoot>
      {placing && <PlaceDialog onClose={() => setPlacing(false)} />}
      {dialog}
    </>
  );
}

function summary({ entries, taken }: Found): string {
  const failed = entries.filter((entry) => entry.error !== undefined).length;
  const said = [taken.length > 0 && t.servers.import.taken(taken.length), failed > 0 && t.servers.import.failed(failed)];
  if (taken.length > 0 || failed > 0) return said.filter(Boolean).join(" ");
  return entries.length === 0 ? t.servers.import.nothing : "";
}

interface WhatProps {
  found: Found;
  onChange: (entry: Entry, part: Partial<Entry>) => void;
  onOpen: (server: ServerView) => void;
  onPlace: () => void;
}

function What({ found: { entries, skipped, taken }, onChange, onOpen, onPlace }: WhatProps) {
  const tried = taken.length > 0 || entries.some((entry) => entry.error !== undefined);
  return (
    <>
      {taken.length > 0 && (
        <Section title={t.servers.import.done}>
          <ul className={css.rows}>
            {taken.map((server) => (
              <li key={server.id} className={css.taken}>
                <span aria-hidden="true">✓</span>
                <strong>
                  <ServerWord text={server.name} />
                </strong>
                <Button onClick={() => onOpen(server)}>{t.servers.import.openOne(oneLine(server.name))}</Button>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {entries.length > 0 && (
        <Field group label={tried ? t.servers.import.left : t.servers.import.found}>
          {() => entries.map((entry, index) => <ImportEntry key={index} entry={entry} onChange={(part) => onChange(entry, part)} onPlace={onPlace} />)}
        </Field>
      )}
      <Skipped title={t.servers.import.skipped} skipped={skipped.filter((one) => !one.settled)} />
      <Skipped title={t.servers.import.settled} skipped={skipped.filter((one) => one.settled)} />
    </>
  );
}

function Skipped({ title, skipped }: { title: string; skipped: NotImported[] }) {
  if (skipped.length === 0) return null;
  return (
    <Section title={title}>
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
  );
}
