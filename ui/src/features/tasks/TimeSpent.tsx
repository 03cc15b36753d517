import { useCallback } from "react";

import { duration, ms } from "../../format/time";
import { useClock } from "../../store/clock";
import { t } from "../../strings";
import type { Spent, Stretch } from "../../types";
import css from "./Timeline.module.css";

interface Props {
  stretches: readonly Stretch[];
  /** What was before it came here is not known. */
  adopted: boolean;
}

/** How long it worked and how long it waited for a person: drawn as a bar, and said. */
export function TimeSpent({ stretches, adopted }: Props) {
  const goesOn = stretches.at(-1)?.until === undefined;
  const now = useClock(useCallback((time: number) => (goesOn ? time : 0), [goesOn]));
  const sums = timeSpent(stretches, now);
  const parts = t.tasks.spent;
  const said = (["working", "waiting", "unseen"] as const).filter((spent) => sums[spent] > 0).map((spent) => parts[spent](duration(sums[spent])));
  if (said.length === 0) return null;
  return (
    <div>
      <div className={css.bar} aria-hidden="true">
        {stretches.map((stretch, index) => (
          <span key={index} data-spent={stretch.spent} style={{ flexGrow: lengthOf(stretch, now) }} />
        ))}
      </div>
      <p className={css.spent}>
        {adopted && `${parts.adopted} `}
        {said.join(", ")}
      </p>
    </div>
  );
}

/** How much of it went into what, in ms, until `now` where it goes on. */
export function timeSpent(stretches: readonly Stretch[], now: number): Record<Spent, number> {
  const sums = { working: 0, waiting: 0, unseen: 0 };
  for (const stretch of stretches) sums[stretch.spent] += lengthOf(stretch, now);
  return sums;
}

function lengthOf({ from, until }: Stretch, now: number): number {
  return Math.max(0, (until === undefined ? now : ms(until)) - ms(from));
}
