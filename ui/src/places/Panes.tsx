import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode, type Ref, type UIEvent, type WheelEvent } from "react";

import { isField } from "../actions/keys";
import { land, landingIn } from "../components/focus";
import { useArrival } from "./useArrival";
import css from "./Panes.module.css";

interface PanesProps {
  /** How the width is shared: `list` favours the middle pane, `detail` the right one. */
  favour: "list" | "detail";
  list: ReactNode;
  detail: ReactNode;
}

/** Escape leads from a field to what scrolls around it, where plain keys are keys again. */
function leaveField(event: KeyboardEvent<HTMLElement>) {
  const { currentTarget: pane, target } = event;
  if (event.key !== "Escape" || event.defaultPrevented || event.nativeEvent.isComposing || !isField(target)) return;
  // What a dialog holds comes by here, too, and is in no pane.
  if (!(target instanceof Node) || !pane.contains(target)) return;
  event.preventDefault();
  land(landingIn(pane));
}

/** Middle and right pane of a place. Whoever goes to the place has the focus in the middle one. */
export function Panes({ favour, list, detail }: PanesProps) {
  const middle = useRef<HTMLDivElement>(null);
  useArrival(middle);
  return (
    <div className={`${css.panes} ${favour === "list" ? css.list : css.detail}`}>
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div ref={middle} className={css.middle} data-pane="" tabIndex={-1} onKeyDown={leaveField}>
        {list}
      </div>
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={css.right} data-pane="" tabIndex={-1} onKeyDown={leaveField}>
        {detail}
      </div>
    </div>
  );
}

interface BarProps {
  children: ReactNode;
  /** Whether it is as high as it takes: what does not fit beside each other stands below each other. */
  grows?: boolean;
}

/** The bar at the top of a pane. */
export function PaneBar({ children, grows = false }: BarProps) {
  return <header className={grows ? `${css.bar} ${css.grows}` : css.bar}>{children}</header>;
}

interface BodyProps {
  children: ReactNode;
  /** Said to screen readers. */
  label?: string;
  /** Whether it came by itself: then it is seen to come. */
  slid?: boolean;
  ref?: Ref<HTMLDivElement>;
}

/** Somebody who scrolls rests no longer than that between two turns of the wheel, in ms. */
export const TURN_MS = 300;

/**
 * The part of a pane that scrolls. While the wheel scrolls it and the pointer stays where it is, no text in it that scrolls by itself
 * takes the wheel on the way.
 */
export function PaneBody({ children, label, slid = false, ref }: BodyProps) {
  const rest = useRef<number>(undefined);
  const wheel = useRef({ at: -Infinity, x: 0, y: 0 });
  const onWheel = ({ timeStamp: at, clientX: x, clientY: y }: WheelEvent) => {
    wheel.current = { at, x, y };
  };
  const onScroll = ({ currentTarget: pane, timeStamp }: UIEvent<HTMLElement>) => {
    if (timeStamp - wheel.current.at > TURN_MS) return;
    pane.dataset.scrolling = "";
    window.clearTimeout(rest.current);
    rest.current = window.setTimeout(() => delete pane.dataset.scrolling, TURN_MS);
  };
  // WebKit tells of a move also where the page moves under the pointer.
  const onPointerMove = ({ currentTarget: pane, clientX, clientY }: PointerEvent<HTMLElement>) => {
    if (clientX !== wheel.current.x || clientY !== wheel.current.y) delete pane.dataset.scrolling;
  };
  return (
    // A scrolling region must be reachable by keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={ref} className={slid ? `${css.body} ${css.slid}` : css.body} data-pane-body="" role="region" aria-label={label} tabIndex={0} onWheel={onWheel} onScroll={onScroll} onPointerMove={onPointerMove}>
      {children}
    </div>
  );
}

/** The buttons at the foot of a pane. */
export function PaneFoot({ children }: { children: ReactNode }) {
  return <footer className={css.foot}>{children}</footer>;
}

/** Pushes what follows to the end of a bar or foot. */
export function Spring() {
  return <span className={css.spring} />;
}
