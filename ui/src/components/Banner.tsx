import { useState, type ReactNode } from "react";

import { t } from "../strings";
import css from "./Banner.module.css";
import { Button } from "./Button";
import { ServerText } from "./ServerText";

interface Props {
  look: "warn" | "bad";
  /** One line. */
  children: ReactNode;
  /** A button at the end. */
  action?: ReactNode;
  /** What the system said: shown on demand. */
  detail?: string | undefined;
  /** Puts it away; without it it stays. */
  onPutAway?: (() => void) | undefined;
}

/** A line across the window for what is wrong with ourselves. */
export function Banner({ look, children, action, detail, onPutAway }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <div className={`${css.banner} ${look === "bad" ? css.bad : css.warn}`} role="status">
      <div className={css.text}>{children}</div>
      {detail !== undefined && (
        <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t.app.details}
        </Button>
      )}
      {action}
      {onPutAway && (
        <button type="button" className={css.away} aria-label={t.app.putAway} title={t.app.putAway} onClick={onPutAway}>
          ×
        </button>
      )}
      {open && detail !== undefined && (
        <div className={css.detail}>
          <ServerText text={detail} limit={600} />
        </div>
      )}
    </div>
  );
}
