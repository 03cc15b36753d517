import { compact } from "../../format/json";
import { literal } from "../../format/shell";
import { visible } from "../../format/text";
import { t } from "../../strings";
import type { Json, TaskDetail } from "../../types";

/** The most that Linux takes as one argument is 128 KiB. In quotes a sign of ours is up to six bytes. */
const LONGEST = 20_000;

/** Where the command takes arguments from that do not stand in it. */
const FILE = "@arguments.json";

/** A command line, and why its arguments do not stand in it. */
export interface CommandLine {
  text: string;
  without?: "secret" | "long";
}

/**
 * The command line for a POSIX shell that makes a task's call once more, with neither a secret nor a task id. Undefined where no tool is
 * known, and where a name has something in it that a terminal would take for a key, or that nobody could see.
 */
export function commandLine({ row: { serverName, tool }, arguments: json, secretArguments }: TaskDetail): CommandLine | undefined {
  if (json === undefined || tool === "" || !isPlain(serverName) || !isPlain(tool)) return undefined;
  const without = secretArguments ? "secret" : json.length > LONGEST ? "long" : undefined;
  const args = `--args ${without === undefined ? literal(typed(json)) : FILE}`;
  const names = `${literal(serverName)} ${literal(tool)}`;
  // Behind a bare `--` nothing is taken for an option.
  const isOption = serverName.startsWith("-") || tool.startsWith("-");
  const text = t.tasks.callCommand(isOption ? `${args} -- ${names}` : `${names} ${args}`);
  return without === undefined ? { text } : { text, without };
}

function isPlain(name: string): boolean {
  return visible(name) === name && !/[\t\n]/.test(name);
}

/** What a terminal would take for keys, what reorders, and what cannot be seen. */
const UNSEEN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The same JSON on one line, with nothing in it that cannot be seen. Such signs stand in strings only, where an escape says the same. */
function typed(json: Json): string {
  const escaped = (char: string) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
  return compact(json).replace(UNSEEN, escaped);
}
