import { useState } from "react";

import { Button } from "../../components/Button";
import { Section } from "../../components/Section";
import { ErrorNote } from "../../components/States";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { Trouble } from "../../types";
import { Hint } from "../first/Hint";
import { SavedMark } from "./SavedMark";
import css from "./Settings.module.css";
import { TroubleNote } from "./TroubleNote";
import type { EditedSettings } from "./useSettings";

/** Whether to raise notifications, whether they work, and a way to try. */
export function NotificationSettings({ edited, troubles }: { edited: EditedSettings; troubles: Trouble[] }) {
  const act = useAct();
  const [tested, setTested] = useState(false);
  const saving = edited.savingOf("notifications");
  const test = async () => {
    setTested(false);
    setTested((await act.run({ type: "test_notification" })) !== undefined);
  };
  return (
    <Section title={t.settings.notifications}>
      <Hint step="notification" />
      <div className={css.line}>
        <label className={css.check}>
          <input
            type="checkbox"
            checked={edited.chosen.notifications}
            onChange={(event) => void edited.save("notifications", event.target.checked)}
          />
          {t.settings.notify}
        </label>
        <SavedMark saving={saving} />
      </div>
      {saving?.error && <ErrorNote error={saving.error} />}
      {troubles
        .filter((trouble) => trouble.code === "notifications_failed")
        .map((trouble) => (
          <TroubleNote key={trouble.message} trouble={trouble} />
        ))}
      <div className={css.line}>
        <Button disabled={act.busy} onClick={() => void test()}>
          {t.settings.test}
        </Button>
        <span role="status" className={css.soft}>
          {tested && t.settings.tested}
        </span>
      </div>
      {act.error && <ErrorNote error={act.error} />}
    </Section>
  );
}
