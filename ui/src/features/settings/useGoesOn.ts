import { useEffect, useState } from "react";

import { useHost } from "../../host/context";
import type { Overview } from "../../types";

/** Whether tasks are followed on when the window closes, by `serve` or by the window's own program; undefined until that is known. */
export function useGoesOn({ owner, settings }: Overview): boolean | undefined {
  const host = useHost();
  const [outlives, setOutlives] = useState<boolean>();
  useEffect(() => {
    host.outlivesWindow().then(setOutlives, () => setOutlives(false));
  }, [host]);
  return owner.kind === "serve" || (outlives && settings.background);
}
