import type {
  Action,
  CloseReason,
  EventKind,
  OwnerKind,
  PayloadKind,
  RequestState,
  Retry,
  Status,
  TaskGroup,
  Tracking,
  UrlWarning,
  Why,
  Wire,
  Outcome,
} from "../types";

// One word or short phrase for every value of the desk's closed vocabularies. A new value does not compile without one.

export const STATUS: Record<Status, string> = {
  working: "working",
  input_required: "waits for input",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  unknown: "unknown status",
};

export const OUTCOME: Record<Outcome, string> = {
  ok: "done",
  tool_error: "tool error",
  protocol_error: "failed",
  cancelled: "cancelled",
  expired: "expired",
  lost: "lost",
  unknown: "unknown",
};

export const OUTCOME_MEANS: Record<Outcome, string> = {
  ok: "The tool gave a result.",
  tool_error: "The tool ran and says that it failed.",
  protocol_error: "The server answered with an error, or against the specification.",
  cancelled: "The server says that it was cancelled.",
  expired: "Its time to live passed without a result.",
  lost: "The server does not know it any more.",
  unknown: "The call was sent, but it is not known whether it arrived. It is never repeated by itself.",
};

/** A task with a question that waits here for its person. */
export const NEEDS_YOU = "needs you";

/** What a person can do about it; empty where there is nothing to be done. */
export const OUTCOME_ADVICE: Record<Outcome, string> = {
  ok: "",
  tool_error: "See what the tool says below, then run it again with other arguments.",
  protocol_error: "Run it again. If it fails again, tell whoever runs the server.",
  cancelled: "",
  expired: "Run it again if its result is still wanted.",
  lost: "Check at the server what came of it before you run it again.",
  unknown: "Check at the server whether it ran before you run it again.",
};

export const TRACKING: Record<Tracking, string> = {
  live: "followed",
  stalled: "stalled",
  unreachable: "unreachable",
  sign_in_needed: "sign in",
  expired: "expired",
  not_found: "not found",
  done: "ended",
};

export const REQUEST_STATE: Record<RequestState, string> = {
  open: "needs you",
  held: "can be undone",
  sending: "sending",
  answered: "answered",
  not_taken: "not taken",
  refused: "refused",
  closed: "closed",
  orphaned: "no longer asked",
  unknown: "arrival unknown",
};

export const CLOSE_REASON: Record<CloseReason, string> = {
  task_ended: "the task ended",
  answered_elsewhere: "answered elsewhere",
  superseded: "a later question took its place",
  declined_by_us: "declined by you",
  put_away: "put away",
  lapsed: "the answer was not sent in time",
};

export const ACTION: Record<Action, string> = { accept: "accepted", decline: "declined", cancel: "dismissed" };

export const TASK_GROUP: Record<TaskGroup, string> = { needs_you: "Needs you", working: "Working", ended: "Ended" };

export const EVENT: Record<EventKind, string> = {
  called: "Called",
  adopted: "Handle adopted",
  task_created: "The server made it a task",
  status: "Status",
  asked: "Asked",
  answered: "You answered",
  undone: "You took the answer back",
  lapsed: "The answer was not sent: it is a draft again",
  acknowledged: "The server has the answer",
  taken: "Answer taken",
  not_taken: "Answer not taken: the server asks again",
  refused: "Answer refused",
  closed: "Question closed",
  cancel_requested: "You asked to cancel",
  cancel_acknowledged: "The server knows that you want to cancel",
  trouble: "Trouble",
  left_out: "The server asks more than Signalbox takes: what does not fit is left out for now",
  no_result: "The server says completed, but gives no result",
  ttl_passed: "Its time to live passed while the server could not be asked",
  answer_time_passed: "The server wanted the answer within a time that has passed",
  request_refused: "The server sent a request that Signalbox does not take. It was refused",
  timeline_full: "The server has said so much that what else it says is left out here",
  recovered: "Answers again",
  ended: "Ended",
  orphaned: "No longer asked",
  unknown: "Whether the answer arrived is not known",
};

export const PAYLOAD: Record<PayloadKind, string> = {
  arguments: "Arguments",
  create: "First answer",
  last: "Last state",
  result: "Result",
  error: "Error",
};

export const WIRE: Record<Wire, string> = { modern: "extension 2026-07-28", legacy: "experimental 2025-11-25" };

export const OWNER: Record<OwnerKind, string> = {
  window: "this window",
  serve: "signalbox serve",
  command: "a signalbox command",
};

export const RETRY: Record<Retry, string> = {
  never: "",
  later: "Trying again later may work.",
  after_fix: "Mend that, then try again.",
  queued: "It is queued and goes on by itself. Do not repeat it.",
};

export const URL_WARNING: Record<UrlWarning, string> = {
  malformed: "This is not a URL that a browser understands",
  not_https: "Not encrypted: it is not https",
  punycode: "The host is written in punycode and may look like another one",
  mixed_script: "The host mixes scripts and may look like another one",
  user_info: "A user name stands before the host, which can hide the real one",
  ip_address: "The host is a bare address, not a name",
  odd_port: "It names an unusual port",
};

export const WHY: Record<Why, string> = {
  unreadable: "The schema cannot be read",
  tooLarge: "The schema is too large",
  tooDeep: "The schema is nested too deeply",
  tooMany: "The schema has too many parts",
  tooComplex: "The schema is too complex to check",
  unknownDialect: "The schema is in an unknown dialect",
  invalid: "The schema is not valid",
  notAnObject: "The schema does not describe an object",
  reference: "The schema refers to something that is not in it",
  alternatives: "The schema allows several shapes",
  nested: "The value is an object or a list",
  freeForm: "Any properties are allowed",
  untyped: "The schema does not say what the value is",
  undeclared: "Required, but the schema does not describe it",
  partial: "Parts of the schema cannot be checked here",
};
