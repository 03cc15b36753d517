import { visible } from "../../format/text";
import { t } from "../../strings";
import css from "./Secrets.module.css";

/** The tick in `form` that sets `file` aside. Not controlled: it goes with the refusal that brought it. */
export function SetAside({ form, file }: { form: string; file: string }) {
  return (
    <label className={css.place}>
      <input type="checkbox" name="aside" form={form} />
      <span>
        {t.secrets.setAside}
        <span className={css.means}>
          <code>{visible(file)}</code> {t.secrets.setAsideMeans}
        </span>
      </span>
    </label>
  );
}

/** Whether `form` was sent with that tick. */
export function isSetAsideIn(form: HTMLFormElement): boolean {
  return new FormData(form).has("aside");
}
