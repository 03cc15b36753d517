import type { Code } from "../../types";

/** What is to be done so that full texts can be looked through. */
const tryAgain: Partial<Record<Code, string>> = {
  storage_full: "Free some space: Signalbox then looks through them by itself.",
  storage_damaged: "Check the disk. In a terminal, signalbox restore FILE brings back a backup, and signalbox salvage saves what can still be read.",
  storage_gone: "Close Signalbox, put back what was there or restore a backup, and start it again.",
};

export const filter = {
  offers: "Suggestions",
  drop: (token: string) => `Remove ${token} from the filter`,
  allServers: {
    tasks: (name: string) => `Only tasks of ${name} are listed. Press to list the tasks of all servers`,
    inbox: (name: string) => `Only questions of ${name} are listed. Press to list the questions of all servers`,
  },
  noMatch: "Try another word, or clear the filter.",
  looking: "Still looking …",
  lookingHint: "Not all rows have been looked through yet, nor all that was sent and came back.",
  notLooked: "Full texts were not looked through.",
  tryAgain,
  anyway: "Signalbox tries again by itself. Until then, tokens such as tool:deploy find all there is.",
  noneWithoutTexts: "Nothing found without full texts",
  clear: "Clear the filter",
  help: {
    title: "How filters are written",
    rules: [
      ["api", "A word is looked for in what a row says: its texts, its server and tool, how it stands, its id. From three characters on also in the first MiB of what was sent and of what came back."],
      ["tool:lint", "A token asks for one thing: its key stands before the colon."],
      ["tool:lint tool:build", "Tokens of one key join as “or”: rows of either tool."],
      ["tool:lint age>1h", "All others join as “and”: rows of that tool which are also that old."],
      ["-tool:lint", "A - before a token or a word excludes what it would show."],
      ['server:"Dev box"', "Quotation marks hold together what has blanks, words of a text as well."],
      ["tool:lint,build", "Commas stand between several values, any of which may fit."],
      ["tool:dep*", "A * at the end stands for whatever follows."],
    ] as const,
    keys: "Tokens of this list",
    keysHint: "A press puts one into the filter.",
    means: {
      server: "the server's name or short id",
      tool: "the tool's name",
      is: "in short where it stands",
      status: "the task's status, as the server says it",
      outcome: "how it ended",
      tracking: "whether it can be followed",
      wire: "the version of MCP tasks that its server speaks",
      state: "where exactly it stands",
      mode: "how it wants to be answered",
    } as Readonly<Record<string, string>>,
    lengths: "Lengths of time",
    lengthsHint: "> is longer and < is shorter than 90s, 10m, 1h30m, 3d or 2w.",
    lengthMeans: {
      age: "since it began",
      silent: "since anything new was heard of it",
      ended: "since it was over",
      left: "until its server may forget it",
    } as Readonly<Record<string, string>>,
    days: "Days",
    daysHint: (token: string) => `A date is written as in ${token}.`,
    dayMeans: { started: "when it began", ended: "when it was over" } as Readonly<Record<string, string>>,
    put: (token: string) => `Put ${token} into the filter`,
    write: (token: string) => `Write ${token} into the filter`,
  },
};
