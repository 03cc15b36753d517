import { useState } from "react";

import { t } from "../../strings";
import type { RequestDetail } from "../../types";
import css from "./inbox.module.css";
import type { Stage } from "./stage";

/** Its server asks a question otherwise than when it was opened here: what is filled in was meant for the former words. */
export function Reworded({ detail: { asks }, stage }: { detail: RequestDetail; stage: Stage }) {
  const [opened] = useState(asks);
  if (asks === opened || stage !== "open") return null;
  return (
    <p className={css.again} role="alert">
      <strong>{t.inbox.reworded.title}</strong> {t.inbox.reworded.means}
    </p>
  );
}
