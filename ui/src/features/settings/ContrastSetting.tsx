import { usePreference } from "../../store/usePreference";
import { t } from "../../strings";
import { readContrast, wearContrast, type Contrast } from "../../styles/highContrast";
import { SelectSetting } from "./SelectSetting";

const CONTRASTS = Object.entries(t.settings.contrasts) as [Contrast, string][];

/** How far text and borders stand out. */
export function ContrastSetting() {
  const [contrast, put, saving] = usePreference("contrast", readContrast);
  return (
    <SelectSetting
      label={t.settings.contrast}
      value={contrast ?? "system"}
      options={CONTRASTS}
      onChange={(next) => {
        wearContrast(next);
        put(next);
      }}
      saving={saving}
    />
  );
}
