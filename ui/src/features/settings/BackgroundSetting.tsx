import { ErrorNote } from "../../components/States";
import { t } from "../../strings";
import { Choice } from "./Choice";
import { SavedMark } from "./SavedMark";
import type { EditedSettings } from "./useSettings";

/** Whether tasks are followed on when the window closes. */
export function BackgroundSetting({ edited }: { edited: EditedSettings }) {
  const saving = edited.savingOf("background");
  return (
    <div>
      <Choice
        label={t.settings.background}
        hint={t.settings.backgroundHint}
        checked={edited.chosen.background}
        onChange={(background) => void edited.save("background", background)}
      />
      <SavedMark saving={saving} />
      {saving?.error && <ErrorNote error={saving.error} />}
    </div>
  );
}
