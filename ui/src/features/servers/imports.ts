import { soundsSecret } from "./draft";
import type { ApiError, Importable, ImportOutcome, Instead, Wanted } from "../../types";

/** What a person wants of a value that stands in a configuration in the clear. */
export interface ValueChoice {
  kind: "secret" | Instead["kind"];
  /** The variable that `env` means. */
  var: string;
  /** The person said twice that it is no secret. */
  sure: boolean;
}

/** A server that can be imported, with what is wanted of it and what became of it last. */
export interface Entry {
  server: Importable;
  wanted: boolean;
  choices: ReadonlyMap<string, ValueChoice>;
  /** Why it was not imported when that was tried. */
  error?: ApiError;
}

/** The choice where none was made: a value that was shown stays in the clear. */
export function choiceOf(entry: Entry, name: string): ValueChoice {
  const kind = valueOf(entry, name) === undefined ? "secret" : "plain";
  return entry.choices.get(name) ?? { kind, var: name.trim().replace(/\W/g, "_").toUpperCase(), sure: false };
}

/** The value that is shown, since it changes what the program loads or runs. It is never kept as a secret, which nobody sees. */
export function valueOf({ server }: Entry, name: string): string | undefined {
  return server.given.find((given) => given.name === name)?.value;
}

/** Servers as they were found: all are wanted, unless something else was said before of the very same one. */
export function entriesOf(servers: readonly Importable[], before: readonly Entry[]): Entry[] {
  const said = new Map(before.map((entry) => [JSON.stringify(entry.server), entry]));
  return servers.map((server) => {
    const { wanted = true, choices = new Map<string, ValueChoice>() } = said.get(JSON.stringify(server)) ?? {};
    return { server, wanted, choices };
  });
}

/** Whether a person has said something of it. */
export function isChosen({ wanted, choices }: Entry): boolean {
  return !wanted || choices.size > 0;
}

/** Whether something is missing before it can be imported. */
export function isOpen(entry: Entry): boolean {
  return clear(entry).some((name) => {
    const { kind, sure, var: variable } = choiceOf(entry, name);
    return (kind === "plain" && soundsSecret(name) && !sure) || (kind === "env" && variable.trim() === "");
  });
}

/** Headers and variables whose values stand in the configuration. */
export function clear({ server }: Entry): string[] {
  return server.given.flatMap(({ name, var: variable }) => (variable === undefined ? [name] : []));
}

/** What the desk is told. */
export function wantedOf(entry: Entry): Wanted {
  const values = clear(entry).flatMap((name): Wanted["values"] => {
    const { kind, var: variable, sure } = choiceOf(entry, name);
    switch (kind) {
      case "secret":
        return [];
      case "plain":
        return [[name, { kind, sure }]];
      case "env":
        return [[name, { kind, var: variable.trim() }]];
      case "nothing":
        return [[name, { kind }]];
    }
  });
  return { server: entry.server, values };
}

/** Those that are left after an import: what was taken is offered no more, and what was not says why. */
export function leftOf(entries: readonly Entry[], tried: readonly Entry[], outcomes: readonly ImportOutcome[]): Entry[] {
  return entries.flatMap((entry) => {
    const at = tried.indexOf(entry);
    const outcome = at < 0 ? undefined : outcomes[at];
    if (outcome === undefined) return [entry];
    return outcome.outcome === "taken" ? [] : [{ ...entry, error: outcome.error }];
  });
}
