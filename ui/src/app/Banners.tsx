import { useEffect } from "react";

import { Banner } from "../components/Banner";
import { Button } from "../components/Button";
import { ServerWord } from "../components/ServerText";
import { LockedBanner } from "../features/secrets/LockedBanner";
import { sentence } from "../format/text";
import { external, useExternal } from "../store/external";
import type { Viewed } from "../store/useView";
import { CODES, t, TROUBLE_ADVICE } from "../strings";
import type { Trouble } from "../types";
import { go } from "./nav";

/** What was put away, until it changes or the window starts again. */
const away = external<{ troubles: readonly string[] }>({ troubles: [] });

const nameOf = ({ code, message, detail = "" }: Trouble) => [code, message, detail].join("\n");

/** What is wrong with ourselves: the desk does not answer, or it has troubles of its own. */
export function Banners({ overview }: { overview: Viewed<{ type: "overview" }> }) {
  const put = useExternal(away, ({ troubles }) => troubles);
  const now = overview.data?.troubles;
  // What went and comes back is news.
  useEffect(() => {
    if (now === undefined) return;
    const names = now.map(nameOf);
    const { troubles } = away.get();
    if (troubles.some((name) => !names.includes(name))) away.set({ troubles: troubles.filter((name) => names.includes(name)) });
  }, [now]);
  const shown = now?.filter((trouble) => !put.includes(nameOf(trouble))) ?? [];
  return (
    <>
      {overview.status === "offline" && overview.error && (
        <Banner look="bad" action={<Button onClick={overview.retry}>{t.app.tryNow}</Button>}>
          <strong>{CODES[overview.error.code]}.</strong> {t.app.offline}
        </Banner>
      )}
      {shown.map((trouble) => {
        const putAway = () => away.set({ troubles: [...put, nameOf(trouble)] });
        return trouble.code === "secrets_locked" ? (
          <LockedBanner key={trouble.code} onPutAway={putAway} />
        ) : (
          <TroubleBanner key={trouble.code} trouble={trouble} onPutAway={putAway} />
        );
      })}
    </>
  );
}

function TroubleBanner({ trouble: { code, message, detail }, onPutAway }: { trouble: Trouble; onPutAway: () => void }) {
  return (
    <Banner
      look="warn"
      detail={detail}
      onPutAway={onPutAway}
      action={code === "notifications_failed" && <Button onClick={() => go("settings")}>{t.app.settings}</Button>}
    >
      <strong>{CODES[code]}.</strong> <ServerWord text={sentence(message)} /> {TROUBLE_ADVICE[code]}
    </Banner>
  );
}
