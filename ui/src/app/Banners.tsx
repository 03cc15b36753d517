import { useEffect } from "react";

import { Banner } from "../components/Banner";
import { Button } from "../components/Button";
import { ServerWord } from "../components/ServerText";
import { leaving } from "../features/close/leaving";
import { LockedBanner } from "../features/secrets/LockedBanner";
import { sentence } from "../format/text";
import { openSettings } from "../places/nav";
import { external, useExternal } from "../store/external";
import type { Viewed } from "../store/useView";
import { CODES, t, TROUBLE_ADVICE } from "../strings";
import type { Code, Trouble } from "../types";

const KEY = "signalbox.away";

/** What was put away, by its text: until that changes. Only what lasts is put away beyond the end of the window, too. */
const away = external<{ troubles: readonly string[] }>({ troubles: restored() });

/** What is no news when the window starts again: a machine without it seldom gets it. */
const LASTING: ReadonlySet<string> = new Set<Code>(["notifications_failed"]);

const nameOf = ({ code, message, detail = "" }: Trouble) => [code, message, detail].join("\n");
const codeOf = (name: string) => name.split("\n", 1)[0] ?? "";

function restored(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((name): name is string => typeof name === "string") : [];
  } catch {
    return [];
  }
}

away.subscribe(() => {
  try {
    localStorage.setItem(KEY, JSON.stringify(away.get().troubles.filter((name) => LASTING.has(codeOf(name)))));
  } catch {
    // A banner that comes again is no harm.
  }
});

// What was put away before this window began, and has not been there since: at the start nobody may have looked yet.
const unmet = new Set(away.get().troubles);

/** Whether it stays put away: it is still there, or nothing of its kind has come since the window began. */
function isStillAway(name: string, now: readonly Trouble[]): boolean {
  if (now.some((trouble) => nameOf(trouble) === name)) unmet.delete(name);
  else if (!unmet.has(name) || now.some(({ code }) => code === codeOf(name))) return false;
  return true;
}

/** What is wrong with ourselves: the desk does not answer, or it has troubles of its own. */
export function Banners({ overview }: { overview: Viewed<{ type: "overview" }> }) {
  const put = useExternal(away, ({ troubles }) => troubles);
  const leaves = useExternal(leaving, ({ isUnderWay }) => isUnderWay);
  const now = overview.data?.troubles;
  // What went and comes back is news.
  useEffect(() => {
    if (now === undefined) return;
    const { troubles } = away.get();
    const still = troubles.filter((name) => isStillAway(name, now));
    if (still.length < troubles.length) away.set({ troubles: still });
  }, [now]);
  const shown = now?.filter((trouble) => !put.includes(nameOf(trouble))) ?? [];
  return (
    <>
      {overview.status === "offline" && !leaves && overview.error && overview.data !== undefined && (
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
      action={code === "notifications_failed" && <Button onClick={() => openSettings(t.settings.notifications)}>{t.actions["go.settings"]}</Button>}
    >
      <strong>{CODES[code]}.</strong> <ServerWord text={sentence(message)} /> {TROUBLE_ADVICE[code]}
    </Banner>
  );
}
