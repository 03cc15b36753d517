import type {
  Action,
  CloseReason,
  EventKind,
  Origin,
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
  input_required: "waiting for input",
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
  ok: "The tool returned a result.",
  tool_error: "The tool ran and reported an error.",
  protocol_error: "The server answered with an error, or its answer breaks the specification.",
  cancelled: "It was cancelled.",
  expired: "Its time to live ran out before there was a result.",
  lost: "The server no longer knows it.",
  unknown: "The call was sent, but Signalbox does not know whether it arrived. It is never sent again by itself.",
};

/** A task with a question that waits here for its person. */
export const NEEDS_YOU = "needs you";

/** A task that its person wants to cancel, and that is not over. */
export const CANCELLING = "cancelling";

/** A question whose answer waits for something else than the wire. */
export const NOT_SENT = "not sent yet";

/** What a person can do about it; empty where there is nothing to be done. */
export const OUTCOME_ADVICE: Record<Outcome, string> = {
  ok: "",
  tool_error: "Read what the tool says below, then run it again with other arguments.",
  protocol_error: "Run it again. If it fails again, tell whoever runs the server.",
  cancelled: "",
  expired: "Run it again if you still want its result.",
  lost: "Check on the server what became of it before you run it again.",
  unknown: "Check on the server whether it ran before you run it again.",
};

/** Who started a task. */
export const ORIGIN: Record<Origin, string> = { started: "you", adopted: "elsewhere" };

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
  superseded: "replaced by a later question",
  declined_by_us: "declined",
  put_away: "put away",
  lapsed: "the answer was not sent in time",
};

export const ACTION: Record<Action, string> = { accept: "accepted", decline: "declined", cancel: "dismissed" };

export const TASK_GROUP: Record<TaskGroup, string> = { needs_you: "Needs you", working: "Working", ended: "Ended" };

export const EVENT: Record<EventKind, string> = {
  called: "Called",
  adopted: "Task adopted",
  task_created: "The server made the call a task",
  status: "Status",
  asked: "The server asked",
  answered: "You answered",
  undone: "You took the answer back",
  lapsed: "The answer was not sent and is a draft again",
  acknowledged: "The server has the answer",
  taken: "The server took the answer",
  not_taken: "The server did not take the answer and still asks",
  refused: "The server refused the answer",
  closed: "Question closed",
  cancel_requested: "You asked to cancel",
  cancel_acknowledged: "The server has your request to cancel",
  trouble: "Trouble",
  left_out: "The server asks more than Signalbox takes. What does not fit is left out for now",
  no_result: "The server says that it is completed, but gives no result",
  ttl_passed: "Its time to live passed while the server could not be asked",
  answer_time_passed: "The server wanted the answer within a time that has passed",
  request_refused: "The server sent a request that Signalbox does not take. It was refused",
  timeline_full: "The server has said so much that the timeline leaves out the rest",
  recovered: "The server answers again",
  ended: "Ended",
  orphaned: "Question no longer asked",
  unknown: "Not known whether the answer arrived",
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
  later: "It may work if you try again later.",
  after_fix: "Fix that, then try again.",
  queued: "It is queued and continues by itself. Do not repeat it.",
};

export const URL_WARNING: Record<UrlWarning, string> = {
  malformed: "This is not a URL that a browser understands",
  not_web: "This is not a web address (http or https)",
  not_https: "Not encrypted: the address is not https",
  user_info: "A user name stands before the host and can hide the real host",
  punycode: "The host has letters beyond ASCII and may imitate another host",
  mixed_script: "The host mixes letters of several scripts in one name",
  ip_address: "The host is a bare IP address, not a name",
  respelled: "The host is sent in another spelling than this one",
  odd_port: "It names another port than the usual one",
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
