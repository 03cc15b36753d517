import { t } from "../../strings";
import type { RequestDetail } from "../../types";
import css from "./inbox.module.css";
import { Typed } from "./Typed";

/** A question whose asker is gone: why nothing can be said to it, and what will happen. */
export function Unheard({ detail }: { detail: RequestDetail }) {
  return (
    <>
      <p className={css.again} role="status">
        {detail.ways.settled === "cut_off" ? t.inbox.unheard.cutOff : t.inbox.unheard.orphaned}
      </p>
      <Typed detail={detail} />
    </>
  );
}
