import type { Breach, Part, Stray, Unit } from "../types";

/** What of an answer is against the specification. */
const BREACH: { [Rule in Breach["rule"]]: (breach: Extract<Breach, { rule: Rule }>) => string } = {
  no_object: () => "the result is not a JSON object",
  unknown_type: () => "the result is of an unknown type",
  no_list: ({ of }) => `${PART[of]} is not a list`,
  endless_list: ({ of }) => `${PART[of]} does not end, since a cursor in it is illegible or repeated`,
  subscription_ended: () => "the subscription ended before it began",
  newer_version: ({ speaks, ours }) => `the server speaks ${speaks}, not ${ours}`,
  version_refused: ({ version, error, said }) =>
    `it names version ${version}, but does not take "initialize"${error === undefined ? "" : `: it answered with error ${error}`}${said === undefined ? "" : `: ${said}`}`,
  long_endpoint: ({ limit }) => `its event stream names an endpoint that is longer than ${UNIT.bytes(limit)}. ${OWN_ORIGIN}`,
  foreign_endpoint: ({ origin }) => `its event stream names an endpoint at ${origin}. ${OWN_ORIGIN}`,
  no_endpoint: () => `its event stream names an endpoint that is no address. ${OWN_ORIGIN}`,
  unknown: () => "a newer version of Signalbox wrote down how",
};

const OWN_ORIGIN = "Messages and what they carry go to its own origin only";

/** Why something that came back is not the answer. */
export const STRAY: Record<Stray, string> = {
  other_request: "it answers another request",
  no_message: "it is not a JSON-RPC message",
  illegible_event: "the event stream held an illegible message and no answer",
  unknown: "a newer version of Signalbox wrote down why",
};

/** Something that a server sends, of which only so much is taken. */
export const PART: Record<Part, string> = {
  tools: "its list of tools",
  tasks: "its list of tasks",
  statement: "what it says of itself",
  unknown: "something that it sends",
};

/** So much of it. */
export const UNIT: Record<Unit, (n: number) => string> = {
  pages: (n) => `${n} pages`,
  bytes: (n) => (n > 0 && n % 1_048_576 === 0 ? `${n / 1_048_576} MiB` : n > 0 && n % 1_024 === 0 ? `${n / 1_024} KiB` : `${n} bytes`),
  unknown: String,
};

/** What is against the specification, as the end of a sentence. */
export function breachWords(breach: Breach): string {
  // Each of them takes the rule that it stands under.
  const words = BREACH[breach.rule] as (breach: Breach) => string;
  return words(breach);
}
