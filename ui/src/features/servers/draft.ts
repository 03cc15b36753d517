import type { NewSecret, NewTransport, Secret, ServerView } from "../../types";

/** Where the value of a header or variable comes from; `plain`: typed, and no secret; `kept`: it is kept as a secret already. */
export type Source = "literal" | "plain" | "env" | "file" | "kept";

// As the desk has it, which refuses what this lets through: a name that usually goes with a secret.
const SECRET_WORDS = /TOKEN|KEY|SECRET|PASS|AUTH|COOKIE|CREDENTIAL|BEARER/i;

/** Whether a header or variable is named as secrets usually are. */
export function soundsSecret(name: string): boolean {
  return SECRET_WORDS.test(name);
}

// As the command has it.
const LOADERS =
  /^(LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_.*|NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONHOME|PYTHONSTARTUP|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|CLASSPATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|DOTNET_STARTUP_HOOKS|BASH_ENV|ENV|GIT_SSH|GIT_SSH_COMMAND|GIT_EXEC_PATH|PATH)$/i;

/** Whether a variable of this name changes what a program loads or runs, so that who confirms a command has to know it. */
export function changesWhatRuns(name: string): boolean {
  return LOADERS.test(name);
}

/** A secret as it is being typed. A literal value is never part of it: it stays in its input until the form is sent. */
export interface SecretDraft {
  source: Source;
  /** The variable or the path. */
  where: string;
  /** The keychain entry that `kept` means. */
  entry?: string;
  /** The value that `plain` means. */
  plain?: string;
  /** The person said twice that it is no secret. */
  sure?: boolean;
}

/** A header or variable as it is being typed. */
export interface SecretRow extends SecretDraft {
  /** Unique within the form. */
  id: number;
  name: string;
}

/** A server as it is being typed. Both kinds are held, so that a look at the other one loses nothing. */
export interface ServerDraft {
  name: string;
  kind: NewTransport["kind"];
  url: string;
  headers: SecretRow[];
  command: string;
  /** One argument per line. */
  args: string;
  cwd: string;
  env: SecretRow[];
  /** What a server is told when it asks for roots: one URI per line. */
  roots: string;
}

export const EMPTY_DRAFT: ServerDraft = { name: "", kind: "http", url: "", headers: [], command: "", args: "", cwd: "", env: [], roots: "" };

/** What is filled in to change a server. */
export function draftOf({ name, transport, roots }: Pick<ServerView, "name" | "transport" | "roots">): ServerDraft {
  const draft = { ...EMPTY_DRAFT, name, kind: transport.kind, roots: linesOf(roots) };
  if (transport.kind === "http") return { ...draft, url: transport.url, headers: transport.headers.map(rowOf) };
  const { command, args, cwd = "", env } = transport;
  return { ...draft, command, args: linesOf(args), cwd, env: env.map(rowOf) };
}

function rowOf([name, secret]: [string, Secret], id: number): SecretRow {
  return { id, name, ...secretDraftOf(secret) };
}

/** What is filled in to change where a secret comes from. */
export function secretDraftOf(secret: Secret): SecretDraft {
  switch (secret.kind) {
    case "env":
      return { source: "env", where: secret.var };
    case "file":
      return { source: "file", where: secret.path };
    case "keychain":
      return { source: "kept", where: "", entry: secret.entry };
    case "plain":
      return { source: "plain", where: "", plain: secret.value, sure: true };
  }
}

/** All lines of a form, of either kind: no two of them have one id. */
export function rowsOf({ headers, env }: Pick<ServerDraft, "headers" | "env">): SecretRow[] {
  return [...headers, ...env];
}

/** A line for a further header or variable. */
export function emptyRow(rows: readonly SecretRow[]): SecretRow {
  return { id: Math.max(-1, ...rows.map((row) => row.id)) + 1, name: "", source: "literal", where: "" };
}

/** What lines mean that are one thing each, such as roots: blank ones are none. */
export function thingsOf(lines: string): string[] {
  return lines.split("\n").flatMap((line) => line.trim() || []);
}

/** The arguments that lines mean: each exactly as typed; one line feed at the end adds none. */
export function argumentsOf(lines: string): string[] {
  if (lines === "") return [];
  const args = lines.split("\n");
  return args.at(-1) === "" ? args.slice(0, -1) : args;
}

/** The lines that mean these arguments. */
export function linesOf(args: readonly string[]): string {
  return args.at(-1) === "" ? `${args.join("\n")}\n` : args.join("\n");
}

/** What stands in the input of a row's literal value. */
export type LiteralOf = (row: SecretRow) => string;

/** Nothing was typed into it: such a line counts as not there. */
function isBlank(row: SecretRow, literalOf: LiteralOf): boolean {
  return row.name.trim() === "" && valueOf(row, literalOf) === "";
}

function valueOf(row: SecretRow, literalOf: LiteralOf): string {
  return secretValue(row, () => literalOf(row));
}

/** What was given for a secret: the value itself, or where it is; empty while nothing was. */
export function secretValue({ source, where, entry, plain }: SecretDraft, literal: () => string): string {
  switch (source) {
    case "literal":
      return literal();
    case "plain":
      return plain ?? "";
    case "kept":
      return entry ?? "";
    case "env":
    case "file":
      return where.trim();
  }
}

/** How the server is to be reached. Literal values are in what it returns and nowhere else. */
export function transportOf(draft: ServerDraft, literalOf: LiteralOf): NewTransport {
  const secrets = (rows: SecretRow[]) =>
    rows.filter((row) => !isBlank(row, literalOf)).map((row): [string, NewSecret] => [row.name.trim(), newSecret(row.source, valueOf(row, literalOf), row.sure)]);
  if (draft.kind === "http") return { kind: "http", url: draft.url.trim(), headers: secrets(draft.headers) };
  const cwd = draft.cwd.trim();
  return {
    kind: "stdio",
    command: draft.command.trim(),
    args: argumentsOf(draft.args),
    env: secrets(draft.env),
    ...(cwd !== "" && { cwd }),
  };
}

/** A secret as the desk takes it. */
export function newSecret(source: Source, value: string, sure = false): NewSecret {
  switch (source) {
    case "plain":
      return { kind: "plain", value, ...(sure && { sure }) };
    case "literal":
      return { kind: "literal", value };
    case "env":
      return { kind: "reference", secret: { kind: "env", var: value } };
    case "file":
      return { kind: "reference", secret: { kind: "file", path: value } };
    case "kept":
      return { kind: "reference", secret: { kind: "keychain", entry: value } };
  }
}

/** A place in the form that something can be wrong with. */
export type Spot = "name" | "url" | "command" | "secrets" | `row-${number}`;

/** What is missing where. Whether what is there is right, the desk says. */
export function gapsOf(draft: ServerDraft, literalOf: LiteralOf, words: Record<Gap, string>): Map<Spot, string> {
  const gaps = new Map<Spot, string>();
  if (draft.name.trim() === "") gaps.set("name", words.name);
  if (draft.kind === "http" && draft.url.trim() === "") gaps.set("url", words.url);
  if (draft.kind === "stdio" && draft.command.trim() === "") gaps.set("command", words.command);
  for (const row of draft.kind === "http" ? draft.headers : draft.env) {
    if (isBlank(row, literalOf)) continue;
    if (row.name.trim() === "") gaps.set(`row-${row.id}`, words.rowName);
    else if (row.source === "plain") {
      if (soundsSecret(row.name) && row.sure !== true) gaps.set(`row-${row.id}`, words.rowSure);
    } else if (valueOf(row, literalOf) === "") gaps.set(`row-${row.id}`, words.rowValue);
  }
  return gaps;
}

type Gap = "name" | "url" | "command" | "rowName" | "rowValue" | "rowSure";
