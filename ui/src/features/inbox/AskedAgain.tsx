import { Fragment } from "react";

import { StatusLamp } from "../../components/StatusLamp";
import { ClockTime } from "../../components/Time";
import { t } from "../../strings";
import type { RequestDetail } from "../../types";
import css from "./inbox.module.css";
import { Sentence } from "./Sentence";

/** So often a task may ask for a page at one host before whoever accepts once more has to say so twice. */
const OFTEN = 2;
/** So many of the times before are shown. */
const SHOWN = 5;

/** That a task asks for a page at the same host again, and when it did before. A server may ask so without an end. */
export function AskedAgain({ askedBefore }: Pick<RequestDetail, "askedBefore">) {
  if (askedBefore.length === 0) return null;
  const words = t.inbox.url.asked;
  const last = askedBefore.slice(-SHOWN);
  const times = last.map((at, n) => (
    <Fragment key={`${n} ${at}`}>
      {n > 0 && ", "}
      <ClockTime at={at} />
    </Fragment>
  ));
  return (
    <p className={`${css.again} ${css.marked}`}>
      <StatusLamp lamp="tool_error" />
      <span>
        {words.times(askedBefore.length + 1)} <Sentence text={last.length < askedBefore.length ? words.lastBefore : words.before} part={times} />
      </span>
    </p>
  );
}

/** What whoever accepts a page that is asked for again and again has to say first; undefined where it is not. */
export function agreesAgain({ askedBefore }: RequestDetail): string | undefined {
  return askedBefore.length < OFTEN ? undefined : t.inbox.url.asked.agree(askedBefore.length + 1);
}
