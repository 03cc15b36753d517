import type { Saving } from "../../store/saving";
import { t } from "../../strings";
import css from "./Settings.module.css";

/** Says beside a control that its change is kept. */
export function SavedMark({ saving }: { saving: Saving | undefined }) {
  return (
    <span className={css.mark} role="status">
      {saving?.state === "saving" && t.settings.saving}
      {saving?.state === "saved" && t.settings.saved}
    </span>
  );
}
