import { useCallback, useEffect, useLayoutEffect, useRef, useState, type SubmitEvent } from "react";

import { Button } from "../../components/Button";
import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { ErrorNote } from "../../components/States";
import { Tabs } from "../../components/Tabs";
import { oneLine, visible } from "../../format/text";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import { PaneBar, PaneBody, PaneFoot } from "../../places/Panes";
import { call } from "../../store/call";
import { t } from "../../strings";
import type { Pasted, PastedKind, PastedServer, ServerView } from "../../types";
import { StartDemo } from "../first/StartDemo";
import { draftOf, EMPTY_DRAFT, emptyRow, gapsOf, rowsOf, thingsOf, transportOf, type LiteralOf, type ServerDraft, type Spot } from "./draft";
import { useKeep, useLeavable } from "./leavable";
import { LeftNote } from "./LeftNote";
import { forgetsSignIn, takenAlong } from "./moved";
import { filledIn, isInTheWay } from "./paste";
import { PastedNote, waitingFor, type Paste } from "./PastedNote";
import { PasteField } from "./PasteField";
import { PlaceDialog } from "./PlaceDialog";
import { literalName } from "./SecretRows";
import css from "./ServerForm.module.css";
import { errorsAt, spotsOf, stuckRows } from "./spot";
import { CommandFields, RootsField, UrlFields } from "./TransportFields";
import { useLeave } from "./useLeave";

const FORM = "server-form";
const KINDS = [
  { value: "http", label: t.servers.kindUrl },
  { value: "stdio", label: t.servers.kindCommand },
] as const;
const NONE: ReadonlySet<number> = new Set();

interface Props {
  /** The server to change; none to add one. */
  server?: ServerView;
  /** There are no servers yet: the demo server is offered. */
  first?: boolean;
  /** A server that was pasted elsewhere: the form begins with it. */
  pasted?: Pasted;
  onDone: (server: ServerView) => void;
  /** Goes to where servers are taken over from elsewhere, or out of a text that may hold secrets. */
  onImport?: (text?: string) => void;
  onCancel: (() => void) | undefined;
}

/** What a form holds. */
interface Content {
  draft: ServerDraft;
  /** Values in the clear, by row, on their way to their inputs. They may be secrets: they are in no state. */
  literals: Map<number, string>;
  paste: Paste | undefined;
  /** The program was pasted: nobody typed it, so that adding it is no consent to run it. */
  untyped: boolean;
  /** What was read and waits for the person to say whether it replaces what stands there. */
  waiting?: PastedServer | undefined;
  /** What was pasted elsewhere and has been filled in. */
  pasted: Pasted | undefined;
}

/** What the form holds at first: the server as it is, nothing, or what was pasted elsewhere. */
function beginning(draft: ServerDraft, pasted: Pasted | undefined): Content {
  const found = pasted?.servers[0];
  if (!pasted || !found) return { draft, literals: new Map(), paste: undefined, untyped: false, pasted };
  const filled = filledIn(draft, found, false);
  const untyped = found.transport.kind === "stdio";
  const paste: Paste = { kind: pasted.kind, notes: found.notes, asks: untyped };
  return { draft: filled.draft, literals: new Map(filled.literals), paste, untyped, pasted };
}

/** What was left in the form, with what was pasted elsewhere waiting behind it; none where that may take its place. */
function behind(left: Content, pasted: Pasted): Content | undefined {
  const found = pasted.servers[0];
  if (!found || !isInTheWay(left.draft, found)) return undefined;
  return { ...left, paste: { kind: pasted.kind, notes: found.notes, waits: waitingFor(found) }, waiting: found, pasted };
}

/** The form that adds a server, or changes how one is reached. Left for another place, it is found as it was. */
export function ServerForm(props: Props) {
  const [sitting, setSitting] = useState(0);
  // Typed secrets are in their inputs alone: only another form is an empty one.
  return <Form key={sitting} {...props} onStartOver={() => setSitting((n) => n + 1)} />;
}

function Form({ server, first = false, pasted, onDone, onImport, onCancel, onStartOver }: Props & { onStartOver: () => void }) {
  const host = useHost();
  const form = useRef<HTMLFormElement>(null);
  const note = useRef<HTMLDivElement>(null);
  const understood = useRef<HTMLDivElement>(null);
  const [initial] = useState<ServerDraft>(() => (server ? draftOf(server) : EMPTY_DRAFT));
  // What the form was filled with, whatever the server becomes while it is open.
  const [shown] = useState(server?.transport);
  // A server that was changed meanwhile is another form.
  const place = useLeavable<Content>(server ? JSON.stringify([server.id, initial]) : "add");
  const [begun] = useState(() => {
    const { left } = place;
    if (pasted === undefined || left?.pasted === pasted) return left ?? beginning(initial, pasted);
    return (left && behind(left, pasted)) ?? beginning(initial, pasted);
  });
  const [draft, setDraft] = useState(begun.draft);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<ReadonlyMap<Spot, string>>(new Map());
  // How often something was found wrong: then the focus goes there, and at no other time.
  const [tries, setTries] = useState(0);
  const [failure, setFailure] = useState<DeskError>();
  const [stuck, setStuck] = useState(NONE);
  const [placing, setPlacing] = useState(false);
  const [paste, setPaste] = useState<Paste | undefined>(begun.paste);
  const [untyped, setUntyped] = useState(begun.untyped);
  // What was pasted and not yet put into its inputs. It may hold secrets: it is in no state.
  const literals = useRef(begun.literals);
  const waiting = useRef(begun.waiting);
  // How often something was read: what is said of it is where one goes on from.
  const [reads, setReads] = useState(0);
  const waits = paste?.waits !== undefined;
  const change = (part: Partial<ServerDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    // What was wrong with a line is not said of another one.
    const changed = (part.headers ?? part.env ?? []).filter((row) => !rowsOf(draft).includes(row));
    if (changed.some(({ id }) => errors.has(`row-${id}`))) {
      setErrors(new Map([...errors].filter(([spot]) => !changed.some(({ id }) => spot === `row-${id}`))));
    }
  };
  const mark = (found: ReadonlyMap<Spot, string>) => {
    setErrors(found);
    setTries((n) => n + 1);
  };
  const takePasted = useCallback((id: number) => {
    const value = literals.current.get(id);
    literals.current.delete(id);
    return value;
  }, []);

  // The first field when a person opened the form; what does not fit when it was refused.
  const isAdding = server === undefined;
  useEffect(() => {
    if (!isAdding) form.current?.querySelector("input")?.focus();
  }, [isAdding]);
  // With the words themselves, not after them.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus(), [tries]);
  useLayoutEffect(() => note.current?.focus(), [failure]);
  useLayoutEffect(() => {
    if (reads > 0) understood.current?.focus();
  }, [reads]);

  const literalOf: LiteralOf = (row) => {
    const input = form.current?.elements.namedItem(literalName(row));
    return input instanceof HTMLInputElement ? input.value : "";
  };
  const typed = (): Content | undefined => {
    const values = rowsOf(draft).map((row) => [row.id, literalOf(row)] as const);
    const literals = new Map(values.filter(([, value]) => value !== ""));
    if (literals.size === 0 && JSON.stringify(draft) === JSON.stringify(initial)) return undefined;
    return { draft, literals, paste, untyped, waiting: waiting.current, pasted };
  };
  useKeep(place, typed);
  const { leave, dialog } = useLeave(place, () => typed() !== undefined, onCancel, placing);

  const fill = (found: PastedServer, kind: PastedKind, typed: boolean) => {
    const filled = filledIn(draft, found, paste !== undefined && paste.waits === undefined);
    for (const [id, value] of filled.literals) literals.current.set(id, value);
    waiting.current = undefined;
    setDraft(filled.draft);
    setErrors(new Map());
    setFailure(undefined);
    // What was pasted before is not typed by being split.
    const asks = isAdding && found.transport.kind === "stdio" && (untyped || !typed);
    setPaste({ kind, notes: found.notes, asks });
    setReads((n) => n + 1);
    if (asks) setUntyped(true);
  };
  const take = ({ kind, servers, skipped }: Pasted, text: string, typed = false) => {
    const [found, ...more] = servers;
    if (found === undefined || more.length > 0 || skipped.length > 0) {
      if (onImport) onImport(text);
      else mark(new Map([["command", t.servers.paste.several]]));
    } else if (!typed && isInTheWay(draft, found)) {
      waiting.current = found;
      setPaste({ kind, notes: found.notes, waits: waitingFor(found) });
      setReads((n) => n + 1);
    } else fill(found, kind, typed && kind === "command");
  };
  const readTyped = async (text: string, at: Spot) => {
    try {
      take((await call(host, { type: "read_pasted", text })).pasted, text, true);
    } catch (thrown) {
      mark(new Map([[at, visible(DeskError.from(thrown).message)]]));
    }
  };

  const send = async () => {
    const gaps = gapsOf(draft, literalOf, t.servers.missing);
    mark(gaps);
    setFailure(undefined);
    setStuck(NONE);
    if (gaps.size > 0) return;
    setBusy(true);
    try {
      const transport = transportOf(draft, literalOf);
      const untrusted = untyped && draft.kind === "stdio" ? { untrusted: true } : {};
      let reply = server
        ? await call(host, { type: "edit_server", server: server.id, transport, ...(shown && { shown }) })
        : await call(host, { type: "add_server", name: draft.name.trim(), transport, ...untrusted });
      const roots = thingsOf(draft.roots);
      if (server && roots.join("\n") !== server.roots.join("\n")) {
        reply = await call(host, { type: "set_roots", server: server.id, roots });
      }
      place.drop();
      onDone(reply.server);
    } catch (thrown) {
      const error = DeskError.from(thrown);
      const spots = spotsOf(error, draft, isAdding);
      if (spots.length === 0) setFailure(error);
      else mark(new Map(spots.map((spot) => [spot, wordsFor(error)])));
      setStuck(stuckRows(error, draft));
      setBusy(false);
    }
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy && !waits) void send();
  };
  const lines = { stuck, takePasted, onPlace: () => setPlacing(true), newRow: () => emptyRow(rowsOf(draft)) };
  const parts = { draft, change, errors, lines, onRead: (text: string, at: Spot) => void readTyped(text, at) };

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
            <Button onClick={() => onImport()}>{t.servers.import.open}</Button>
          </div>
        )}
        {begun === place.left && (
          <LeftNote
            onStartOver={() => {
              place.drop();
              onStartOver();
            }}
          />
        )}
        {isAdding && <PasteField onPasted={take} onFailed={() => setPaste((before) => (before?.waits === undefined ? before && { ...before, past: true } : before))} focus={!first} />}
        {paste && !paste.past && (
          <PastedNote
            paste={paste}
            shown={draft.kind}
            ref={understood}
            onReplace={() => waiting.current && fill(waiting.current, paste.kind, false)}
            onLeave={() => {
              waiting.current = undefined;
              setPaste(undefined);
              form.current?.querySelector("input")?.focus();
            }}
          />
        )}
        <form id={FORM} ref={form} className={css.form} noValidate autoComplete="off" onSubmit={onSubmit}>
          {isAdding && (
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
          {
            // Both are there, so that a look at the other one loses nothing: typed secrets are in their inputs alone.
          }
          <div className={css.form} hidden={draft.kind !== "http"}>
            <UrlFields {...parts} />
          </div>
          <div className={css.form} hidden={draft.kind !== "stdio"}>
            <CommandFields {...parts} />
          </div>
          {server && forgetsSignIn(server, draft) && (
            <p className={css.caution} role="status">
              {t.servers.forgetsSignIn}
            </p>
          )}
          {server && <HeadersNote names={takenAlong(server, draft)} />}
          {server && <RootsField draft={draft} change={change} />}
          {failure && (
            <div ref={note} tabIndex={-1}>
              <ErrorNote error={failure} />
            </div>
          )}
        </form>
      </PaneBody>
      <PaneFoot>
        <Button look="primary" type="submit" form={FORM} disabled={busy || waits}>
          {busy ? t.servers.adding : server ? t.servers.save : t.servers.addIt}
        </Button>
        {onCancel && <Button onClick={leave}>{t.app.cancel}</Button>}
        {waits && <span className={css.missed}>{t.servers.paste.choose}</span>}
        {!waits && errors.size > 0 && <span className={css.missed}>{isAdding ? t.servers.notAdded : t.servers.notSaved}</span>}
      </PaneFoot>
      {placing && <PlaceDialog onClose={() => setPlacing(false)} />}
      {dialog}
    </>
  );
}

function HeadersNote({ names }: { names: string[] }) {
  if (names.length === 0) return null;
  return (
    <p className={css.caution} role="status">
      {t.servers.takesAlong(names.map(oneLine).join(", "))}
    </p>
  );
}

function wordsFor(error: DeskError): string {
  return error.code === "no_keychain" || error.code === "secrets_locked" ? `${error.message}. ${t.servers.keychainAdvice}` : error.message;
}
