import { useState } from "react";

import { Button } from "../../components/Button";
import { Section } from "../../components/Section";
import { ServerLamp, useServerSignal } from "../../components/ServerLamp";
import { ServerText } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { ClockTime, useAgo, useUntil } from "../../components/Time";
import { underWay } from "../../format/counts";
import { t } from "../../strings";
import type { ServerView, Timestamp } from "../../types";
import { checkWords, healthWords } from "./health";
import { PlaceDialog } from "./PlaceDialog";
import css from "./Servers.module.css";
import { SignIn } from "./SignIn";
import { isUnkept } from "./unkept";
import { isChecking, type Check } from "./useCheck";

const words = t.servers.health;

/** How a server is, how old that is, what to do, and what the last check found. */
export function HealthSection({ server, check }: { server: ServerView; check: Check | undefined }) {
  const { enabled, health, heardAt } = server;
  const [placing, setPlacing] = useState(false);
  const signal = useServerSignal(server);
  const { says, message, advice } = healthWords(server, signal);
  const answers = signal.lamp === "done";
  const isFirst = health.state === "unknown" && server.connectingSince !== undefined;
  const missedAt = health.state === "unknown" && !isFirst ? health.missed?.at : undefined;
  // An answer of the last minute is of now: while a server answers all the time, when exactly is not known here.
  const dated = missedAt ?? (answers && signal.faded ? heardAt : undefined);
  return (
    <Section title={words.title}>
      <div className={css.health} data-lamp={signal.lamp} data-faded={signal.faded}>
        <ServerLamp signal={signal} />
        <div className={css.healthWords}>
          <p>
            <span className={css.says}>{says}</span>
            {enabled && <When server={server} />}
            {enabled && dated !== undefined && <At at={dated} />}
          </p>
          {message !== undefined && <ServerText text={message} limit={600} />}
          {advice !== undefined && <p className={css.soft}>{advice}</p>}
          {enabled && !answers && heardAt !== undefined && (
            <p className={css.soft}>
              {words.lastAnswer}
              <At at={heardAt} />
            </p>
          )}
          {enabled && health.state === "sign_in_needed" && <SignIn server={server.id} />}
          {enabled && "code" in health && isUnkept(health.code) && (
            <div>
              <Button onClick={() => setPlacing(true)}>{t.servers.ways.place}</Button>
            </div>
          )}
          <div role="status">{isChecking(check) ? <p className={css.soft}>{t.servers.checking}…</p> : <Found check={check} />}</div>
        </div>
      </div>
      {check?.error && <ErrorNote error={check.error} />}
      {placing && <PlaceDialog onClose={() => setPlacing(false)} />}
    </Section>
  );
}

/** ` 4 min ago (13:58).` */
function At({ at }: { at: Timestamp }) {
  const ago = useAgo(at);
  return (
    <>
      {` ${words.ago(ago)} (`}
      <ClockTime at={at} />
      {")."}
    </>
  );
}

/** Since when it is so, when it was last tried, and when it is tried again. */
function When({ server }: { server: ServerView }) {
  const { health, connectingSince } = server;
  const since = health.state === "unknown" ? connectingSince : "since" in health ? health.since : undefined;
  const unreachable = health.state === "unreachable" ? health : undefined;
  const triedAt = health.state === "unusable" ? health.triedAt : (unreachable?.triedAt ?? undefined);
  const ago = useAgo(since);
  const tried = useAgo(triedAt);
  const until = useUntil(unreachable?.retryAt);
  const waits = underWay(server.tasks) > 0;
  const isTried = connectingSince !== undefined || (waits && until === "");
  const next = isTried ? words.tryingNow : waits ? words.nextTry(until) : words.noNextTry;
  return (
    <>
      {since !== undefined && (
        <>
          {` ${words.since} `}
          <ClockTime at={since} />
          {` (${ago})`}
        </>
      )}
      {triedAt !== undefined && `${since === undefined ? " " : ", "}${words.tried(tried)}`}
      {unreachable !== undefined && `, ${next}`}
    </>
  );
}

function Found({ check }: { check: Check | undefined }) {
  const ago = useAgo(check?.at);
  if (!check?.found) return null;
  return (
    <p>
      {words.checked(ago)}: {checkWords(check.found)}
    </p>
  );
}
