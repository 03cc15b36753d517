import { useState } from "react";

import { CopyButton } from "../../components/CopyButton";
import { ErrorNote } from "../../components/States";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import { t } from "../../strings";
import type { RequestDetail, UrlView } from "../../types";
import { useUnderWay } from "./useUnderWay";

/** Opening the page of a question. */
export interface PageOpening {
  open: () => void;
  busy: boolean;
  /** Why it could not be opened. Then nothing was sent. */
  error: DeskError | undefined;
}

/** Opens the page of the question in hand, which is the consent. Only ever called by a press of a person. */
export function usePage({ row }: RequestDetail, members: readonly RequestDetail[]): PageOpening {
  const host = useHost();
  const underWay = useUnderWay(members);
  const [failed, setFailed] = useState<{ id: string; error: DeskError }>();
  const open = () => {
    underWay.begin(row.id);
    setFailed(undefined);
    host
      .openPage(row.id)
      .catch((thrown: unknown) => setFailed({ id: row.id, error: DeskError.from(thrown) }))
      .finally(() => underWay.end(row.id));
  };
  return { open, busy: underWay.has(row.id), error: failed?.id === row.id ? failed.error : undefined };
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
