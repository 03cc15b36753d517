import { t } from "../../strings";
import type { RequestRow } from "../../types";
import { useDecided } from "./elsewhere";

/** The words for who decided. A person is "you", but not where this window saw that it was done elsewhere. */
export function useBy({ id, answer, decidedBy }: RequestRow): (action: string) => string {
  const decided = useDecided(id);
  const words = t.inbox.receipt;
  if (decidedBy === "signalbox") return words.byUs;
  return answer !== undefined && answer.decidedAt === decided?.at ? words.fromElsewhere : words.by;
}
