import type { ReactNode } from "react";

import { useClock } from "../store/clock";
import type { Lamp } from "./lamp";
import css from "./StatusLamp.module.css";

// Each lamp can be told by its outline alone: in grey, in forced colours, and at 12 pixels.
const SHAPES: Record<Lamp, ReactNode> = {
  working: <Ring step={0} />,
  needs_you: <circle className={css.fill} cx="8" cy="8" r="5" />,
  done: <path d="m3.5 8.5 3 3 6-6.5" />,
  tool_error: <path d="M8 3 13.5 12.5h-11Z" />,
  failed: <path d="m4 4 8 8m0-8-8 8" />,
  cancelled: <path d="M13 8A5 5 0 1 1 3 8a5 5 0 0 1 10 0ZM4.6 11.4l6.8-6.8" />,
  expired: <circle className={css.dotted} cx="8" cy="8" r="5" />,
  lost: (
    <>
      <circle className={css.dotted} cx="8" cy="8" r="5" />
      <path d="m6.3 6.3 3.4 3.4m0-3.4-3.4 3.4" />
    </>
  ),
  unknown: (
    <>
      <circle className={css.dotted} cx="8" cy="8" r="5" />
      <circle className={css.fill} cx="8" cy="8" r="1.25" />
    </>
  ),
  unreachable: <circle cx="8" cy="8" r="4" />,
  idle: <circle className={css.fill} cx="8" cy="8" r="2.5" />,
};

function Ring({ step }: { step: number }) {
  return (
    <>
      <circle className={css.still} cx="8" cy="8" r="5" />
      <path d="M8 3a5 5 0 0 1 5 5" transform={`rotate(${step * 45} 8 8)`} />
    </>
  );
}

const CALM = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : undefined;
const stepAt = (now: number) => (CALM?.matches === true ? 0 : Math.floor(now / 1_000) % 8);

/** Goes on by a step a second, with the clocks. An animation would be worked out sixty times a second, for as long as a task runs. */
function TurningRing() {
  return <Ring step={useClock(stepAt)} />;
}

interface Props {
  lamp: Lamp;
  /** Said to screen readers where no word stands beside the lamp. */
  word?: string;
  /** What it says is not of now: the shape stays, the colour goes. */
  faded?: boolean | undefined;
}

interface StatusProps extends Props {
  /** Whether the ring of work under way moves. In a list only in the row in hand: else everything stands still. */
  turning?: boolean;
}

/** A status by shape and colour. The word stands beside it, or is given for those who cannot see it. */
export function StatusLamp({ lamp, word, turning = false, faded }: StatusProps) {
  const label = word === undefined ? { "aria-hidden": true as const } : { role: "img", "aria-label": word };
  return (
    <svg className={css.lamp} data-lamp={lamp} data-faded={faded} viewBox="0 0 16 16" width="16" height="16" {...label}>
      {turning && lamp === "working" ? <TurningRing /> : SHAPES[lamp]}
    </svg>
  );
}
