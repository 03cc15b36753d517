import { useEffect, useState } from "react";

import { useHost } from "../../host/context";
import type { SafeGraphics } from "../../host/host";
import { t } from "../../strings";
import css from "./Settings.module.css";

/** Says that the window is drawn without the graphics card, and why. */
export function GraphicsNote() {
  const host = useHost();
  const [why, setWhy] = useState<SafeGraphics | null>(null);
  useEffect(() => {
    host.safeGraphics().then(setWhy, () => undefined);
  }, [host]);
  return why && <p className={css.soft}>{t.settings.safeGraphics[why]}</p>;
}
