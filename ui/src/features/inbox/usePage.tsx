import { useState } from "react";

import { ErrorNote, Note } from "../../components/States";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import { useAdjusted } from "../../store/useAdjusted";
import { CODES, t } from "../../strings";
import type { RequestDetail, RequestRow } from "../../types";
import { useElsewhere } from "./elsewhere";
import { useRemarks } from "./remarks";
import { useUnderWay } from "./useUnderWay";

/** Opening the page of a question. */
export interface PageOpening {
  open: () => void;
  busy: boolean;
  /** Whether the page was open before, or may have been. It changes only once an opening has ended. */
  visited: boolean;
  /** Why it could not be opened. Then nothing was sent. */
  error: DeskError | undefined;
}

/** Opens the page of the question in hand, which is the consent. Only ever called by a press of a person. */
export function usePage({ row, ways, asks }: RequestDetail, members: readonly RequestDetail[], isTooSoon: () => boolean): PageOpening {
  const host = useHost();
  const underWay = useUnderWay(members);
  const elsewhere = useElsewhere();
  const remarks = useRemarks();
  const [opening, setOpening] = useState<{ id: string; visited: boolean }>();
  const now = standing(row);
  // A failure speaks of the question as it was then. Once anything else has happened to it, it is no longer true.
  const [failed, setFailed] = useAdjusted(useState<{ id: string; then: string; error: DeskError }>(), (last) =>
    last?.id === row.id && last.then !== now ? undefined : last,
  );
  const open = () => {
    if (isTooSoon()) return;
    const { id } = row;
    underWay.begin(id);
    elsewhere.say(id);
    setOpening({ id, visited: isVisited(row) });
    setFailed(undefined);
    host
      .openPage(id, asks, row.answer?.decidedAt, ways.accept === "page" ? remarks.with(id).remark : undefined)
      .catch((thrown: unknown) => {
        const error = DeskError.from(thrown);
        elsewhere.refused(id, error);
        setFailed({ id, then: now, error });
      })
      .finally(() => {
        underWay.end(id);
        setOpening((before) => (before?.id === id ? undefined : before));
      });
  };
  // What the view shows of the visit wins, also while the desk's reply waits for a tool.
  const visited = opening?.id === row.id && underWay.has(row.id) ? opening.visited : isVisited(row);
  return { open, busy: underWay.has(row.id), visited, error: failed?.id === row.id ? failed.error : undefined };
}

/** How a question stands, whatever an opening that failed does to it meanwhile. */
function standing({ state, answer, visitedAt }: RequestRow): string {
  return [state, answer?.decidedAt, answer?.sentAt, visitedAt].join(" ");
}

/** Whether a page was opened, or may have been. */
function isVisited({ visitedAt, visitingAt }: RequestRow): boolean {
  return visitedAt !== undefined || visitingAt !== undefined;
}

/** A page that could not be opened, and how to get there all the same: its address can be copied above. */
export function PageTrouble({ error, detail: { ways, round }, visited }: { error: DeskError; detail: RequestDetail; visited: boolean }) {
  if (error.code !== "browser_failed") return <ErrorNote error={error} />;
  const { noBrowser, elsewhere, elsewherePaged, finished } = t.inbox.url;
  const accepts = ways.accept === "page";
  return (
    <Note title={CODES.browser_failed}>
      <p>{accepts ? noBrowser.open(visited ? finished : round?.paged ? elsewherePaged : elsewhere) : noBrowser.told}</p>
    </Note>
  );
}
