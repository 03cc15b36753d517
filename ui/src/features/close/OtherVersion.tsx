import { useEffect, useState } from "react";

import { Banner } from "../../components/Banner";
import { useHost } from "../../host/context";
import { t } from "../../strings";
import type { Owner } from "../../types";
import { RestartBackground } from "./RestartBackground";

/** Says that a package was updated under the program in the background, which is of another version since. */
export function OtherVersion({ owner }: { owner: Owner | undefined }) {
  const host = useHost();
  const [ours, setOurs] = useState<string>();
  useEffect(() => {
    host.version().then(setOurs, () => undefined);
  }, [host]);
  if (owner?.kind !== "serve" || ours === undefined || owner.version === ours) return null;
  return (
    <Banner look="warn" action={<RestartBackground />}>
      {t.app.version.other(owner.version, ours)}
    </Banner>
  );
}
