import { useEffect } from "react";

import { external, useExternal } from "../../store/external";
import { t } from "../../strings";
import type { Tab } from "./InboxPlace";
import css from "./inbox.module.css";

/** How many of those that nobody asks any more were listed when somebody last looked at them. */
const seen = external({ n: 0 });

interface Props {
  /** How many there are. */
  n: number;
  tab: Tab;
  /** Lists them. */
  onShow: () => void;
}

/** What nobody asks any more needs nobody and has left the list. That it has is said until somebody has looked at it. */
export function Unasked({ n, tab, onShow }: Props) {
  const known = useExternal(seen, (state) => state.n);
  const listed = tab === "answered";
  useEffect(() => {
    if (listed || n < known) seen.set({ n });
  }, [listed, n, known]);
  if (listed || n <= known) return null;
  return (
    <p className={css.unasked}>
      {t.inbox.noLongerAsked.some(n - known)}{" "}
      <button type="button" className={css.link} onClick={onShow}>
        {t.inbox.noLongerAsked.show}
      </button>
    </p>
  );
}
