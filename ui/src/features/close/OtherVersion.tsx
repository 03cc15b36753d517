import { useEffect, useState } from "react";

import { Banner } from "../../components/Banner";
import { useHost } from "../../host/context";
import { t } from "../../strings";
import type { Owner } from "../../types";
import { RestartBackground } from "./RestartBackground";
import { isAfter } from "./versions";

/**
 * Says that a package was updated under the program in the background, or under this window: they are of different versions
 * since. The older one is to be started again.
 */
export function OtherVersion({ owner }: { owner: Owner | undefined }) {
  const host = useHost();
  const [ours, setOurs] = useState<string>();
  useEffect(() => {
    host.version().then(setOurs, () => undefined);
  }, [host]);
  if (owner?.kind !== "serve" || ours === undefined || owner.version === ours) return null;
  const isNewer = isAfter(owner.version, ours);
  const words = isNewer === undefined ? t.app.version.other : isNewer ? t.app.version.newer : t.app.version.older;
  return (
    <Banner look="warn" action={isNewer !== true && <RestartBackground />}>
      {words(owner.version, ours)}
    </Banner>
  );
}
