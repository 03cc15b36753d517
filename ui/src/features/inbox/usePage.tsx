import { useState } from "react";

import { CopyButton } from "../../components/CopyButton";
import { ErrorNote } from "../../components/States";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import { t } from "../../strings";
import type { RequestDetail, RequestRow, UrlView } from "../../types";

/** Opening the page of a question. */
export interface PageOpening {
  open: () => void;
  busy: boolean;
  /** Whether the page was open before, or may have been. It changes only once an opening has ended. */
  visited: boolean;
  /** Why it could not be opened. Then nothing was sent. */
  error: DeskError | undefined;
}

/** Opens the page of a question, which is the consent. Only ever called by a press of a person. */
export function usePage({ row }: RequestDetail): PageOpening {
  const host = useHost();
  const [opening, setOpening] = useState<{ id: string; visited: boolean }>();
  const [failed, setFailed] = useState<{ id: string; error: DeskError }>();
  const open = () => {
    setOpening({ id: row.id, visited: isVisited(row) });
    setFailed(undefined);
    host
      .openPage(row.id)
      .catch((thrown: unknown) => setFailed({ id: row.id, error: DeskError.from(thrown) }))
      .finally(() => setOpening(undefined));
  };
  const visited = opening?.id === row.id ? opening.visited : isVisited(row);
  return { open, busy: opening !== undefined, visited, error: failed?.id === row.id ? failed.error : undefined };
}

/** Whether a page was opened, or may have been. */
function isVisited({ visitedAt, visitingAt }: RequestRow): boolean {
  return visitedAt !== undefined || visitingAt !== undefined;
}

/** A page that could not be opened, and how to get there all the same. */
export function PageTrouble({ error, url }: { error: DeskError; url: UrlView | undefined }) {
  return (
    <>
      <ErrorNote error={error} />
      {url && (
        <div>
          <CopyButton text={url.full} label={t.inbox.url.copyAddress} />
        </div>
      )}
    </>
  );
}
