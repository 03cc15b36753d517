import type { ReactNode } from "react";

import { PaneBody } from "../../app/Panes";
import { oneLine } from "../../format/text";
import { t } from "../../strings";
import type { RequestDetail } from "../../types";
import css from "./inbox.module.css";
import { Raw } from "./QuestionHead";

/** A question that is kept and shown, and cannot be answered here. */
export function Unsupported({ head, detail }: { head: ReactNode; detail: RequestDetail }) {
  const { row, identity } = detail;
  const why =
    row.state === "orphaned" ? t.inbox.other.orphaned : identity.kind === "round" ? t.inbox.other.round : t.inbox.other.mode(oneLine(row.method));
  return (
    <PaneBody label={t.inbox.question}>
      {head}
      <p className={css.again}>
        <bdi>{why}</bdi>
      </p>
      <Raw detail={detail} open />
    </PaneBody>
  );
}
