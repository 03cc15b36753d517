import { HEALTH_LAMP } from "../../components/lamp";
import { Section } from "../../components/Section";
import { ServerText } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { StatusLamp } from "../../components/StatusLamp";
import { ClockTime, useAgo, useUntil } from "../../components/Time";
import { HEALTH, t } from "../../strings";
import type { ServerView } from "../../types";
import { healthWords, latency } from "./health";
import css from "./Servers.module.css";
import { SignIn } from "./SignIn";
import { isChecking, type Check } from "./useCheck";

/** How a server is, since when, what to do, and what the last check found. */
export function HealthSection({ server, check }: { server: ServerView; check: Check | undefined }) {
  const { enabled, health } = server;
  const { says, message, advice } = healthWords(server);
  return (
    <Section title={t.servers.health.title}>
      <div className={css.health} data-health={enabled ? health.state : "disabled"}>
        <StatusLamp lamp={enabled ? HEALTH_LAMP[health.state] : "idle"} />
        <div className={css.healthWords}>
          <p>
            <span className={css.says}>{says}</span>
            {enabled && <When server={server} />}
          </p>
          {message !== undefined && <ServerText text={message} limit={600} />}
          {advice !== undefined && <p className={css.soft}>{advice}</p>}
          {enabled && health.state === "sign_in_needed" && <SignIn server={server.id} />}
          <div role="status">{isChecking(check) ? <p className={css.soft}>{t.servers.checking}…</p> : <Found check={check} />}</div>
        </div>
      </div>
      {check?.error && <ErrorNote error={check.error} />}
    </Section>
  );
}

/** Since when it is so, and when it is tried again. */
function When({ server: { health } }: { server: ServerView }) {
  const since = "since" in health ? health.since : undefined;
  const retryAt = health.state === "unreachable" ? health.retryAt : undefined;
  const ago = useAgo(since);
  const until = useUntil(retryAt);
  if (since === undefined) return null;
  return (
    <>
      {` ${t.servers.health.since} `}
      <ClockTime at={since} />
      {` (${ago})`}
      {retryAt !== undefined && `, ${until === "" ? t.servers.health.nextTrySoon : t.servers.health.nextTry(until)}`}
    </>
  );
}

function Found({ check }: { check: Check | undefined }) {
  if (!check?.found) return null;
  const { server, tools } = check.found;
  const { health } = server;
  const what =
    health.state === "ok"
      ? t.servers.checkOk(latency(health.latencyMs), tools)
      : health.state === "sign_in_needed"
        ? t.servers.checkSignIn
        : t.servers.checkBad(HEALTH[health.state]);
  return (
    <p>
      {t.servers.checked}: {what}
    </p>
  );
}
