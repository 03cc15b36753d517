import type { Event, Gave, Reason, StatusNote, Then, Unconfirmed, Unsent } from "../types";
import { breachWords, PART, STRAY, UNIT } from "./flaw";
import { whyWords } from "./obstacle";

/** What happened, by its kind. Values that others wrote are quoted as they are. A new kind does not compile without words. */
const REASON: { [Kind in Reason["kind"]]: (reason: Extract<Reason, { kind: Kind }>) => string } = {
  said: ({ message }) => message,
  error_answer: ({ error, said }) => `The server answered with error ${error}: ${said}`,
  task_failed: ({ said }) => said,
  not_started: ({ program, said }) => `The program ${JSON.stringify(program)} could not be started: ${whyWords(said)}`,
  program_ended: ({ exit, wrote }) =>
    `The server's program ended${exit === undefined ? "" : ` with code ${exit}`}${wrote === undefined ? "" : `. It last wrote: ${wrote}`}`,
  secret_missing: ({ said }) => `A secret for this connection cannot be read: ${whyWords(said)}`,
  variable_not_set: ({ name }) => `The environment variable ${name} is not set where Signalbox runs`,
  no_keychain: ({ said }) => `A secret for this connection cannot be read: ${whyWords(said)}`,
  secrets_locked: ({ said }) => `A secret for this connection cannot be read: ${whyWords(said)}`,
  no_discovery: ({ said }) => `The server does not say what it is: ${whyWords(said)}`,
  unreachable: ({ said }) => `The server cannot be reached: ${whyWords(said)}`,
  host_not_found: ({ said }) => `The server's host cannot be found: ${whyWords(said)}`,
  closed: () => "The connection was closed",
  answer_lost: ({ said }) => `The server's answer was lost (${whyWords(said)}). It may have acted on the request`,
  not_the_answer: ({ stray }) => notTheAnswer(STRAY[stray]),
  no_reply: ({ said }) => notTheAnswer(said),
  no_answer: ({ seconds }) => `The server did not answer within ${seconds} s`,
  not_mcp: ({ gave, to, status }) => `This is not an MCP server${status === undefined ? "" : ` (HTTP ${status})`}: it returned ${GAVE[gave](to)}`,
  legacy_only: ({ version }) => `The server speaks only ${version ?? "an older MCP version"}, which Signalbox does not know`,
  sign_in_needed: ({ status }) => `The server requires a sign-in (HTTP ${status}). Sign in, or add a header with a token`,
  throttled: ({ status }) => `The server asked Signalbox to slow down (HTTP ${status})`,
  too_large: ({ limit }) => `The server's answer is larger than ${limit} bytes, the limit in the settings`,
  more_than_taken: ({ of, most, unit }) => moreThanTaken(PART[of], UNIT[unit](most)),
  too_much: ({ what, most }) => moreThanTaken(what, most),
  breaks_specification: ({ breach }) => breaksSpecification(breachWords(breach)),
  against_specification: ({ said }) => breaksSpecification(said),
  not_trusted: (of) => `Its command is not confirmed, and is not run before that: ${wouldRun(of)}`,
  asks_too_much: () =>
    "The server asks more than Signalbox takes. The limits are 500 open questions and 16 MiB per task, 128 MiB per server, and 10,000 questions per task in all. What does not fit is not shown. On the older wire it is refused; otherwise it is shown as soon as there is room",
  round_too_large: () =>
    "The server asks more in one round than Signalbox takes, so the call was given up. The limits are 16 MiB of questions per call, 1 MiB of requestState and 128 MiB of questions per server. Nothing was answered. Answer what else this server asks, then call again",
  round_too_many: () => "The server asks more questions in one round than Signalbox can show. The call was given up",
  rounds_without_end: () => "The server keeps asking, round after round. The call was given up",
  rounds_ask_nothing: () => "The server wants the call again and again, but asks nothing. The call was given up",
  arguments_missing: () => "The call cannot be repeated, because its arguments are no longer kept",
  pages_not_visited: () => "The server still waits for its pages to be visited. Answer again once that is done",
  ended_before_answer: () => "Signalbox ended before the answer came. The server may have acted on the call",
  stopped_waiting: () => "Signalbox no longer waits for the answer. The server may still be working",
  task_without_id: () => "The server started a task but gave it no id, so it cannot be followed",
  task_id_too_long: ({ limit }) => `The server gave the task an id longer than ${limit} bytes, so it cannot be followed. The answer is kept`,
  no_result: () => "The server says that the task is completed, but gives no result",
  ttl_passed: () => "The task's time to live ran out while the server could not be asked. Its result may be lost",
  forgotten: () => "The task's time to live ran out, and the server has forgotten the task",
  task_unknown: ({ sessionOver, error, said }) =>
    `The server does not know this task.${sessionOver ? " Its session is over, and the task may have gone with it." : ""} It answered with error ${error}: ${said}`,
  unknown: () => "A newer version of Signalbox wrote down why, in a way this version does not know",
};

const notTheAnswer = (why: string) => `What came back does not answer the request (${why}). The server may have acted on it`;
const moreThanTaken = (what: string, most: string) => `The server sends more than Signalbox takes: ${what} has more than ${most}`;
const breaksSpecification = (how: string) => `The server's answer breaks the specification: ${how}`;

const GAVE: Record<Gave, (to: string | undefined) => string> = {
  page: () => "a web page. The URL may lack its path",
  redirect: (to) => (to === undefined ? "a redirect, which Signalbox does not follow" : `a redirect to ${to}, which Signalbox does not follow`),
  empty: () => "an empty answer",
  silent: () => "nothing that is MCP",
  other: () => "something that is not MCP",
};

/** Exactly what would be run, quoted one by one: nobody has to guess where an argument ends. */
function wouldRun({ command, cwd, variables }: Unconfirmed): string {
  const words = command.map((word) => JSON.stringify(word)).join(" ");
  const place = cwd === undefined ? "your home directory" : JSON.stringify(cwd);
  const given = variables.map(({ name, value }) => JSON.stringify(name) + (value === undefined ? "" : ` = ${JSON.stringify(value)}`));
  return `${words} in ${place}${given.length === 0 ? "" : `, with the environment variables ${given.join(", ")}`}`;
}

/** What follows for what was to be sent. */
const THEN: Record<Then, string> = {
  call_not_sent: "The call was not sent",
  answers_go_again: "The answers were not sent. They will be sent automatically",
  answers_delayed: "The answers do not get through. They are sent again, less and less often",
  answers_may_have_arrived: "The answers may have arrived. Answer again to send them once more, or cancel the call",
  unknown: "",
};

/** Why an answer did not go out. */
const UNSENT: Record<Unsent, string> = {
  too_late: "It was due more than an hour ago",
  closed_in_window: "Signalbox was closed while it could still be undone",
  connection_gone: "Its connection is gone",
  earlier_taken: "The server took the earlier answer",
  nothing_left: "Nothing of it had been sent",
};

/** Why something is as it is, without a full stop at its end. */
export function noteWords({ reason, then }: StatusNote): string {
  const what = reasonWords(reason);
  return then === undefined || THEN[then] === "" ? what : `${what.replace(/\.+$/, "")}. ${THEN[then]}`;
}

/** What stands beside an entry of a timeline: what others said, or why. */
export function saidWords({ kind, text, note }: Event): string | undefined {
  if (note !== undefined) return noteWords(note);
  if (text !== undefined && (kind === "lapsed" || kind === "undone") && isUnsent(text)) return UNSENT[text];
  return text;
}

function reasonWords(reason: Reason): string {
  // Each of them takes the kind that it stands under.
  const words = REASON[reason.kind] as (reason: Reason) => string;
  return words(reason);
}

function isUnsent(text: string): text is Unsent {
  return Object.hasOwn(UNSENT, text);
}
