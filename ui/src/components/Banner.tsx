import type { ReactNode } from "react";

import css from "./Banner.module.css";

interface Props {
  look: "warn" | "bad";
  children: ReactNode;
  /** A button at the end. */
  action?: ReactNode;
}

/** A line across the window for what is wrong with ourselves. */
export function Banner({ look, children, action }: Props) {
  return (
    <div className={`${css.banner} ${look === "bad" ? css.bad : css.warn}`} role="status">
      <div className={css.text}>{children}</div>
      {action}
    </div>
  );
}
