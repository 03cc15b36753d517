import { useState } from "react";

import { Button } from "../../components/Button";
import { Section } from "../../components/Section";
import { ErrorNote } from "../../components/States";
import { ClockTime } from "../../components/Time";
import { visible } from "../../format/text";
import { openTask } from "../../places/nav";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { CallId, Difference, DiffSide } from "../../types";
import css from "./Compare.module.css";
import detail from "./TaskDetail.module.css";

const WORDS = t.tasks.compare;
/** What stands before a line: not by colour alone. */
const MARKS: Record<DiffSide, string> = { both: " ", earlier: "−", later: "+", gap: "…" };

/** What came of a task, compared with the run before it, once somebody asks. */
export function Compare({ call }: { call: CallId }) {
  const act = useAct();
  const [compared, setCompared] = useState<Difference | null>();
  const compare = async () => {
    const reply = await act.run({ type: "diff", call });
    if (reply) setCompared(reply.difference ?? null);
  };
  if (compared === undefined) {
    return (
      <div>
        <Button disabled={act.busy} onClick={() => void compare()}>
          {WORDS.act}
        </Button>
        {act.error && <ErrorNote error={act.error} />}
      </div>
    );
  }
  return (
    <Section title={WORDS.title}>
      {compared === null ? <p role="status">{WORDS.none}</p> : <Lines difference={compared} />}
    </Section>
  );
}

function Lines({ difference: { earlier, endedAt, lines, leftOut, cut } }: { difference: Difference }) {
  return (
    <>
      <p role="status" className={css.said}>
        {lines.length === 0 ? WORDS.same : WORDS.differs}{" "}
        <button type="button" className={detail.link} onClick={() => openTask(earlier)}>
          {earlier}
        </button>
        , {WORDS.ended} <ClockTime at={endedAt} />.{cut && ` ${WORDS.cut}`}
      </p>
      {lines.length > 0 && (
        // A scrolling region must be reachable by keyboard.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={css.lines} role="group" aria-label={WORDS.title} tabIndex={0}>
          {lines.map((line, index) => (
            <div key={index} data-of={line.of}>
              <span className={css.mark} aria-label={WORDS.of[line.of]} role="img">
                {MARKS[line.of]}
              </span>
              <bdi dir="auto" translate="no">
                {visible(line.text)}
              </bdi>
            </div>
          ))}
        </div>
      )}
      {leftOut > 0 && <p className={css.said}>{WORDS.leftOut(leftOut)}</p>}
    </>
  );
}
