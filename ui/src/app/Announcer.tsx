import { useEffect, useRef } from "react";

import { announce, hush, useSaid } from "../store/announce";
import { t } from "../strings";
import type { Overview } from "../types";

/** Says what comes and what ends, wherever somebody is in the window. */
export function Announcer({ overview }: { overview: Overview | undefined }) {
  const said = useSaid();
  useNews(overview);
  useEffect(() => hush, []);
  return (
    // The attribute, too: a dialog hides all behind it but what has it.
    <div role="status" aria-live="polite" aria-label={t.app.news.label} className="unseen">
      {said}
    </div>
  );
}

/** What is there at the start is no news. */
function useNews(overview: Overview | undefined): void {
  const inbox = overview?.inbox;
  const arrived = overview?.tabs.arrived;
  const expiring = overview?.tabs.expiring;
  const ended = overview?.tasks.ended;
  const unasked = overview?.tabs.noLongerAsked;
  const before = useRef({ inbox, arrived, expiring, ended, unasked });
  useEffect(() => {
    const was = before.current;
    before.current = { inbox, arrived, expiring, ended, unasked };
    const come = more(was.arrived, arrived);
    // One that comes while another is answered leaves the number as it was.
    if (inbox && come > 0) announce("come", () => t.app.news.questions(inbox));
    // What was put off, or taken back, or refused, has not come.
    else if (inbox && more(was.inbox, inbox) > 0) announce("again", () => t.app.news.again(inbox));
    if (expiring && more(was.expiring, expiring) > 0) announce("expiring", () => t.app.news.expiring(expiring));
    const over = more(was.ended, ended);
    if (over > 0) announce("ended", t.app.news.ended, over);
    const gone = more(was.unasked, unasked);
    if (gone > 0) announce("unasked", (n) => `${t.inbox.noLongerAsked.some(n)}.`, gone);
  }, [inbox, arrived, expiring, ended, unasked]);
}

/** By how much a number has grown since it was last seen. */
function more(was: number | undefined, now: number | undefined): number {
  return was === undefined || now === undefined ? 0 : Math.max(0, now - was);
}
