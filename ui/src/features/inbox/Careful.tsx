import { StatusLamp } from "../../components/StatusLamp";
import { t } from "../../strings";
import css from "./inbox.module.css";
import type { Caution } from "./useCaution";

/** What there is to be careful of, above what is asked. */
export function Careful({ caution }: { caution: Caution }) {
  return (
    <p className={`${css.again} ${css.marked}`}>
      <StatusLamp lamp="tool_error" />
      <span>{t.inbox.caution[caution]}</span>
    </p>
  );
}
