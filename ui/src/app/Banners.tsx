import { Banner } from "../components/Banner";
import { Button } from "../components/Button";
import { ServerWord } from "../components/ServerText";
import { LockedBanner } from "../features/secrets/LockedBanner";
import type { Viewed } from "../store/useView";
import { CODES, t } from "../strings";

/** What is wrong with ourselves: the desk does not answer, or it has troubles of its own. */
export function Banners({ overview }: { overview: Viewed<{ type: "overview" }> }) {
  return (
    <>
      {overview.status === "offline" && overview.error && (
        <Banner look="bad" action={<Button onClick={overview.retry}>{t.app.tryNow}</Button>}>
          <strong>{CODES[overview.error.code]}.</strong> {t.app.offline}
        </Banner>
      )}
      {overview.data?.troubles.map((trouble) =>
        trouble.code === "secrets_locked" ? (
          <LockedBanner key={trouble.code} />
        ) : (
          <Banner key={trouble.code} look="warn">
            <strong>{CODES[trouble.code]}.</strong> <ServerWord text={trouble.message} />
          </Banner>
        ),
      )}
    </>
  );
}
