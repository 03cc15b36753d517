import { Section } from "../../components/Section";
import { ErrorNote } from "../../components/States";
import { t } from "../../strings";
import type { NotifyRules, Overview } from "../../types";
import { Hint } from "../first/Hint";
import { NoticeHistory } from "./NoticeHistory";
import { NotificationTest } from "./NotificationTest";
import { PauseSetting } from "./PauseSetting";
import { QuietHoursSetting } from "./QuietHoursSetting";
import { LEVELS, RuleLevel } from "./RuleLevel";
import { SavedMark } from "./SavedMark";
import { SelectSetting } from "./SelectSetting";
import css from "./Settings.module.css";
import { TroubleNote } from "./TroubleNote";
import type { EditedSettings } from "./useSettings";

/** What notifications tell and when, whether they work, a way to try, and what became of the last ones. */
export function NotificationSettings({ edited, overview }: { edited: EditedSettings; overview: Overview }) {
  const rules = edited.chosen.notifications;
  const saving = edited.savingOf("notifications");
  const change = (changed: Partial<NotifyRules>) => void edited.save("notifications", { ...rules, ...changed });
  return (
    <Section title={t.settings.notifications}>
      <Hint step="notification" />
      <div className={css.fields}>
        <SelectSetting label={t.settings.notify} hint={t.settings.notifyHint} value={rules.level} options={LEVELS} onChange={(level) => change({ level })} saving={undefined} />
        <Exceptions edited={edited} overview={overview} />
        <QuietHoursSetting
          quiet={rules.quiet}
          onChange={(quiet) => {
            const { quiet: _, ...others } = rules;
            void edited.save("notifications", { ...others, ...(quiet && { quiet }) });
          }}
        />
        <label className={css.check}>
          <input type="checkbox" checked={rules.contents} onChange={({ target }) => change({ contents: target.checked })} />
          {t.settings.contents}
        </label>
        <SavedMark saving={saving} />
        {saving?.error && <ErrorNote error={saving.error} />}
        <PauseSetting until={overview.notificationsPausedUntil} />
        {overview.troubles
          .filter((trouble) => trouble.code === "notifications_failed")
          .map((trouble) => (
            <TroubleNote key={trouble.message} trouble={trouble} />
          ))}
        <NotificationTest />
        <NoticeHistory />
      </div>
    </Section>
  );
}

/** The servers and tools that have a level of their own. */
function Exceptions({ edited, overview: { servers } }: { edited: EditedSettings; overview: Overview }) {
  return edited.chosen.notifications.rules.map(({ level: _, ...of }) => {
    const name = servers.find(({ id }) => id === of.server)?.name;
    // A server that was just removed takes its levels with it.
    return name === undefined ? null : <RuleLevel key={JSON.stringify(of)} edited={edited} of={of} label={t.settings.levelOf(name, of.tool)} />;
  });
}
