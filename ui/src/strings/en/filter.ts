import type { Code } from "../../types";

/** What is to be done so that full texts can be looked through. */
const tryAgain: Partial<Record<Code, string>> = {
  storage_full: "There is no room on the disk to index them. Free some space, or filter by tokens such as tool:deploy.",
  storage_damaged: "Check the disk. The command line can bring back a backup, or save what can still be read.",
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
  lookingHint: "Not all rows have been looked through yet, nor the texts that were sent and came back.",
  notLooked: "Full texts could not be searched.",
  tryAgain,
  anyway: "Signalbox keeps trying. Tokens such as tool:deploy still find everything.",
  noneWithoutTexts: "Nothing found outside full texts",
  clear: "Clear the filter",
  help: {
    title: "How filters are written",
    rules: [
      ["api", "A word is looked for in what a row says: its texts, server, tool, status and id. A word of three characters or more is also found where it begins a word in the first MiB of what was sent or of what came back."],
      ["tool:lint", "A token asks for one thing: its key stands before the colon."],
      ["tool:lint tool:build", "Tokens with the same key mean “or”: rows of either tool."],
      ["tool:lint age>1h", "All others mean “and”: rows of that tool that are also that old."],
      ["-tool:lint", "A - before a token or a word excludes what it would show."],
      ['server:"Dev box"', "Put what has spaces in quotation marks, a phrase as well."],
      ["tool:lint,build", "Separate several values with commas: any may match."],
      ["tool:dep*", "A * at the end matches any ending."],
    ] as const,
    keys: "Tokens of this list",
    keysHint: "Press one to add it to the filter.",
    means: {
      server: "the server's name or short id",
      tool: "the tool's name",
      is: "whether it waits, runs or is over",
      status: "the task's status, as the server says it",
      outcome: "how it ended",
      tracking: "whether it can be followed",
      wire: "the version of MCP tasks that its server speaks",
      origin: "started by you here, or adopted from elsewhere",
      state: "the exact state of the question",
      mode: "whether it has a form, a page, or neither",
      attention: "whether it needs you, expires soon or is snoozed",
      tag: "a tag of your own",
    } as Readonly<Record<string, string>>,
    lengths: "Lengths of time",
    lengthsHint: "> means longer than, < means shorter than. A length is written like 90s, 10m, 1h30m, 3d or 2w.",
    lengthMeans: {
      age: "since it was started or asked",
      silent: "since its state last changed",
      ended: "since it ended",
      left: "until its server may forget it",
    } as Readonly<Record<string, string>>,
    days: "Days",
    daysHint: (token: string) => `A date is written as in ${token}.`,
    dayMeans: { started: "when it was started or asked", ended: "when it ended" } as Readonly<Record<string, string>>,
    put: (token: string) => `Put ${token} into the filter`,
    write: (token: string) => `Write ${token} into the filter`,
  },
};
