import { Section } from "../../components/Section";
import { ErrorNote } from "../../components/States";
import { t } from "../../strings";
import { useManner, type Manner } from "../inbox/manner";
import { Choice } from "./Choice";
import { NumberSetting } from "./NumberSetting";
import css from "./Settings.module.css";
import type { EditedSettings } from "./useSettings";

/** How a person goes about answering in this window. */
export function AnsweringSettings({ edited }: { edited: EditedSettings }) {
  const [manner, setManner, saving] = useManner();
  const choice = (key: keyof Manner, label: string, hint: string) => (
    <Choice
      label={label}
      hint={hint}
      checked={manner?.[key] ?? false}
      onChange={manner && ((chosen) => setManner({ ...manner, [key]: chosen }))}
    />
  );
  return (
    <Section title={t.settings.answering}>
      <div className={css.fields}>
        <NumberSetting
          setting="undoMs"
          edited={edited}
          label={t.settings.undo}
          hint={t.settings.undoHint}
          unit={t.settings.seconds}
          factor={1_000}
        />
        {choice("next", t.settings.next, t.settings.nextHint)}
        {choice("unreviewed", t.settings.unreviewed, t.settings.unreviewedHint)}
        {saving?.error && <ErrorNote error={saving.error} title={t.settings.notKept} />}
      </div>
    </Section>
  );
}
