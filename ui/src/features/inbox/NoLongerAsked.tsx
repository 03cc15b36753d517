import { t } from "../../strings";
import type { RequestDetail } from "../../types";
import css from "./inbox.module.css";
import { Typed } from "./Typed";

/** A question that is no longer asked: why nothing can be said to it, and what will happen. */
export function NoLongerAsked({ detail }: { detail: RequestDetail }) {
  return (
    <>
      <p className={css.again} role="status">
        {detail.ways.settled === "cut_off" ? t.inbox.noLongerAsked.cutOff : t.inbox.noLongerAsked.orphaned}
      </p>
      <Typed detail={detail} />
    </>
  );
}
