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
  const ended = overview?.tasks.ended;
  const unasked = overview?.tabs.noLongerAsked;
  const before = useRef({ inbox, ended, unasked });
  useEffect(() => {
    const { inbox: had, ended: were, unasked: was } = before.current;
    before.current = { inbox, ended, unasked };
    if (inbox !== undefined && had !== undefined && inbox > had) announce("inbox", () => t.app.news.questions(inbox));
    if (ended !== undefined && were !== undefined && ended > were) announce("ended", t.app.news.ended, ended - were);
    if (unasked !== undefined && was !== undefined && unasked > was) announce("unasked", (n) => `${t.inbox.noLongerAsked.some(n)}.`, unasked - was);
  }, [inbox, ended, unasked]);
}
