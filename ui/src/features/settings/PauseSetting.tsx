import { Button } from "../../components/Button";
import { ErrorNote } from "../../components/States";
import { ClockTime } from "../../components/Time";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { Timestamp } from "../../types";
import { inAnHour, tomorrow } from "../inbox/snooze";
import css from "./Settings.module.css";

/** No notifications for a while, or again. */
export function PauseSetting({ until }: { until: Timestamp | undefined }) {
  const act = useAct();
  const pause = (until: Timestamp | undefined) => void act.run({ type: "pause_notifications", ...(until !== undefined && { until }) });
  const words = t.settings.pause;
  return (
    <>
      <div className={css.line}>
        {until === undefined ? (
          <>
            <Button disabled={act.busy} onClick={() => pause(inAnHour(new Date()))}>
              {words.hour}
            </Button>
            <Button disabled={act.busy} onClick={() => pause(tomorrow(new Date()))}>
              {words.tomorrow}
            </Button>
          </>
        ) : (
          <>
            <span>
              {words.until} <ClockTime at={until} />
            </span>
            <Button disabled={act.busy} onClick={() => pause(undefined)}>
              {words.end}
            </Button>
          </>
        )}
      </div>
      {act.error && <ErrorNote error={act.error} />}
    </>
  );
}
