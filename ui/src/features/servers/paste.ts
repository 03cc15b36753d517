import type { NewSecret, PastedServer } from "../../types";
import { emptyRow, linesOf, rowsOf, type SecretRow, type ServerDraft } from "./draft";

/** A draft with what was pasted in it. */
export interface Filled {
  draft: ServerDraft;
  /** Values in the clear, by the row that they belong to: for the inputs, and for nothing else. */
  literals: ReadonlyMap<number, string>;
}

/** Whether filling it in would write over something else that stands in the form. */
export function isInTheWay(draft: ServerDraft, { transport }: PastedServer): boolean {
  const other = (typed: string, pasted: string) => typed.trim() !== "" && typed.trim() !== pasted.trim();
  if (transport.kind === "http") return other(draft.url, transport.url);
  const { command, args, cwd = "" } = transport;
  return other(draft.command, command) || other(draft.args, linesOf(args)) || other(draft.cwd, cwd);
}

/** Fills in what was pasted. A name and lines that were typed by hand stay; lines of the same name give way. */
export function filledIn(draft: ServerDraft, { name, transport }: PastedServer, renames: boolean): Filled {
  const named = { ...draft, kind: transport.kind, ...((renames || draft.name.trim() === "") && { name }) };
  const rows = transport.kind === "http" ? draft.headers : draft.env;
  const pasted = transport.kind === "http" ? transport.headers : transport.env;
  const literals = new Map<number, string>();
  let all = rows.filter((row) => !pasted.some(([name]) => name === row.name.trim()));
  for (const [name, value] of pasted) {
    const row = { ...emptyRow([...rowsOf(draft), ...all]), name, ...sourceOf(value) };
    if (value.kind === "literal") literals.set(row.id, value.value);
    all = [...all, row];
  }
  if (transport.kind === "http") return { draft: { ...named, url: transport.url, headers: all }, literals };
  const { command, args, cwd = "" } = transport;
  return { draft: { ...named, command, args: linesOf(args), cwd, env: all }, literals };
}

function sourceOf(value: NewSecret): Partial<SecretRow> {
  if (value.kind === "plain") return { source: "plain", plain: value.value };
  if (value.kind !== "reference" || value.secret.kind !== "env") return {};
  return { source: "env", where: value.secret.var };
}
