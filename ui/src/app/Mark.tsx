import css from "./Rail.module.css";

/** The signal head: the app's mark, as in `icons/signalbox.svg`. */
export function Mark() {
  return (
    <svg className={css.mark} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <rect x="3" y="0.75" width="10" height="14.5" rx="3" />
      <circle className={css.lit} cx="8" cy="5.25" r="2" />
      <circle cx="8" cy="10.75" r="1.75" />
    </svg>
  );
}
