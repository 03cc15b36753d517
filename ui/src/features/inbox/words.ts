import { replacedAt, withoutAt } from "../../forms/secrets";
import { brief, cut, oneLine } from "../../format/text";
import { t } from "../../strings";
import type { Action, Answer, Identity, Json, No, RequestDetail, RequestRow } from "../../types";

const LONGEST_TITLE = 140;

/** The method of questions to a model. */
export const SAMPLING = "sampling/createMessage";
const ROOTS = "roots/list";
const ELICITATION = "elicitation/create";

/** A question as a title, and whether its message says more than that. */
export function titleOf({ method, message }: Pick<RequestRow, "method" | "message">): { title: string; more: boolean } {
  const first = message.split("\n").find((line) => line.trim() !== "") ?? "";
  // What stands behind many spaces is no less a part of it.
  const line = oneLine(cut(first.trim().replace(/\s+/g, " "), 4 * LONGEST_TITLE));
  const whole = method === SAMPLING ? t.inbox.wantsModel(line) : line || wordless(method);
  const title = whole.length > LONGEST_TITLE ? `${cut(whole, LONGEST_TITLE - 1)}…` : whole;
  return { title, more: line !== "" && (message.trim() !== first.trim() || title !== whole) };
}

/** A title for what comes without words. */
function wordless(method: string): string {
  if (method === ELICITATION) return t.inbox.noMessage;
  return method === ROOTS ? t.inbox.wantsRoots : t.inbox.unknownKind(brief(method, LONGEST_TITLE));
}

/** What a no to a question means, before it is said and after it. It agrees with the desk, which says so only before. */
export function noOf({ row: { method }, identity, round, ways }: RequestDetail): No {
  if (ways.decline !== undefined) return ways.decline;
  if (method === ELICITATION && round?.paged !== true) return "told";
  return NO_OF[identity.kind];
}

const NO_OF: Record<Identity["kind"], No> = { wire: "error", round: "gives_up", task: "unsaid" };

/** Whether its form asks for a secret. */
export function asksSecret({ form }: Pick<RequestDetail, "form">): boolean {
  return form?.secret === true;
}

/** The content of an answer for people: in the place of a secret stands how long it is. */
export function shownContent(answer: Answer | undefined, told: (length: string) => string = t.forms.secret.told): Json | undefined {
  const { content, masked } = answer ?? {};
  if (content === undefined || masked === undefined) return content;
  const lengths = new Map(masked.map(({ path, length }) => [path, length]));
  return replacedAt(content, (path) => {
    const length = lengths.get(path);
    return length === undefined ? undefined : told(t.forms.characters(length));
  });
}

/** The content of an answer as far as it is kept, to be changed. */
export function keptContent(answer: Answer | undefined): Json | undefined {
  return answer?.content === undefined ? undefined : withoutAt(answer.content, answer.masked?.map(({ path }) => path) ?? []);
}

/** An answer as the server gets it, its content byte for byte but for secrets. It agrees with the desk's: only an elicitation knows an action. */
export function responseTo({ method, answer }: Pick<RequestRow, "method" | "answer">): Json | undefined {
  const shown = shownContent(answer);
  if (!answer || method !== ELICITATION) return shown;
  return elicited(answer.action, shown);
}

/** What the server of an elicitation gets, as the desk spells it. */
export function elicited(action: Action, content?: Json): Json {
  return content === undefined ? `{"action":"${action}"}` : `{"action":"${action}","content":${content}}`;
}

/** Whether something can be decided, now or again. It agrees with the desk's `Ways`, which a row does not carry. */
export function isDecidable({ state, stranded }: Pick<RequestRow, "state" | "stranded">): boolean {
  if (stranded) return false;
  return state === "open" || state === "not_taken" || state === "refused" || state === "unknown";
}
