import { ErrorNote } from "../../components/States";
import { t } from "../../strings";
import type { Overview } from "../../types";
import { Choice } from "./Choice";
import { SavedMark } from "./SavedMark";
import { useGoesOn } from "./useGoesOn";
import type { EditedSettings } from "./useSettings";

/** Whether tasks are followed on when the window closes. Where that is chosen and not so, it says who follows them. */
export function BackgroundSetting({ edited, overview }: { edited: EditedSettings; overview: Overview }) {
  const goesOn = useGoesOn(overview);
  const saving = edited.savingOf("background");
  // The page does not know why: no tray, a choice made just now, or a program that did not start. A tray comes and goes, so
  // only what holds with and without one is said. Not as chosen, but as kept: what goes on is known of that.
  const isByWindow = overview.settings.background && goesOn === false && overview.owner.kind === "window";
  return (
    <div>
      <Choice
        label={t.settings.background}
        hint={t.settings.backgroundHint}
        now={isByWindow ? t.settings.backgroundByWindow : undefined}
        checked={edited.chosen.background}
        onChange={(background) => void edited.save("background", background)}
      />
      <SavedMark saving={saving} />
      {saving?.error && <ErrorNote error={saving.error} />}
    </div>
  );
}
