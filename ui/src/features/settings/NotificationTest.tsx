import { useState } from "react";

import { Button } from "../../components/Button";
import { ServerWord } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { Reply } from "../../types";
import css from "./Settings.module.css";

type Tested = Extract<Reply, { type: "notification_tested" }>;

/** A way to try notifications, and what the system did. */
export function NotificationTest() {
  const act = useAct();
  const [tested, setTested] = useState<Tested>();
  const words = t.settings.tested;
  const test = async () => {
    setTested(undefined);
    setTested(await act.run({ type: "test_notification" }));
  };
  return (
    <>
      <div className={css.line}>
        <Button disabled={act.busy} onClick={() => void test()}>
          {t.settings.test}
        </Button>
        <span role="status" className={css.soft}>
          {tested && (
            <>
              {words.by} <ServerWord text={[tested.service, tested.version].filter(Boolean).join(" ")} />. {tested.inhibited ? words.inhibited : words.shown}
              {!tested.actions && ` ${words.noButtons}`}
            </>
          )}
        </span>
      </div>
      {act.error && (
        <>
          <ErrorNote error={act.error} />
          {act.error.code === "notifications_failed" && <p className={css.soft}>{words.advice}</p>}
        </>
      )}
    </>
  );
}
