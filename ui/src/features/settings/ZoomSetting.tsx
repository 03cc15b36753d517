import { partsOf } from "../../actions/spelling";
import { useHost } from "../../host/context";
import { chooseZoom, readZoom, useZoom, ZOOMS } from "../../store/zoom";
import { t } from "../../strings";
import { SelectSetting } from "./SelectSetting";

const OPTIONS = ZOOMS.map((zoom) => [String(zoom), t.settings.percent(zoom)] as const);
const [MOD = ""] = partsOf("Mod+0");

/** How large everything is. */
export function ZoomSetting() {
  const host = useHost();
  const zoom = useZoom();
  return (
    <SelectSetting
      label={t.settings.zoom}
      hint={t.settings.zoomHint(MOD)}
      value={String(zoom)}
      options={OPTIONS}
      onChange={(next) => chooseZoom(host, readZoom(Number(next)))}
      saving={undefined}
    />
  );
}
