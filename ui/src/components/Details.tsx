import { t } from "../strings";
import css from "./Details.module.css";
import { ServerText } from "./ServerText";

/** What the system said, for those who look into it: folded away until it is asked for. */
export function Details({ text }: { text: string | undefined }) {
  if (text === undefined || text === "") return null;
  return (
    <details className={css.details}>
      <summary>{t.app.details}</summary>
      <ServerText text={text} limit={600} />
    </details>
  );
}
