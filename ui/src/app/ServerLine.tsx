import { HEALTH_LAMP } from "../components/lamp";
import { HealthLamp } from "../components/StatusLamp";
import { ServerWord } from "../components/ServerText";
import { useUntil } from "../components/Time";
import { count } from "../format/size";
import { HEALTH, t } from "../strings";
import type { ServerView } from "../types";
import { openServer } from "./nav";
import css from "./Rail.module.css";

/** A server in the rail: its lamp, its name, and either what is wrong or how many tasks are under way. */
export function ServerLine({ server }: { server: ServerView }) {
  const { health } = server;
  const retry = useUntil(server.enabled && health.state === "unreachable" ? health.retryAt : undefined);
  const underWay = server.tasks.needsYou + server.tasks.working;
  return (
    <li>
      <button type="button" className={css.server} onClick={() => openServer(server.id)}>
        <HealthLamp
          lamp={server.enabled ? HEALTH_LAMP[health.state] : "idle"}
          word={server.enabled ? HEALTH[health.state] : t.app.disabled}
        />
        <span className={css.serverName}>
          <ServerWord text={server.name} />
        </span>
        {!server.enabled && <span className={css.note}>{t.app.disabled}</span>}
        {server.enabled && health.state === "sign_in_needed" && (
          <span className={`${css.note} ${css.warn}`}>{t.app.signIn}</span>
        )}
        {server.enabled && health.state === "unusable" && <span className={css.note}>{t.app.unusable}</span>}
        {retry !== "" && <span className={css.note}>{t.app.retryIn(retry)}</span>}
        {server.enabled && underWay > 0 && <span className={css.count}>{count(underWay)}</span>}
      </button>
    </li>
  );
}
