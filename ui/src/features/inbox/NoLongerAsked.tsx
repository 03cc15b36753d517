import { t } from "../../strings";
import type { RequestDetail } from "../../types";
import css from "./inbox.module.css";
import { Typed } from "./Typed";

/** A question that is no longer asked: why nothing can be said to it, and what will happen. */
export function NoLongerAsked({ detail }: { detail: RequestDetail }) {
  const words = t.inbox.noLongerAsked;
  return (
    <>
      <p className={css.again} role="status">
        {detail.ways.settled === "cut_off" ? words.cutOff(detail.row.answer?.masked !== undefined) : words.orphaned}
      </p>
      <Typed detail={detail} />
    </>
  );
}
