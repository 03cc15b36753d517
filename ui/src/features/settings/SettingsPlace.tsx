import { useRef } from "react";

import { Section } from "../../components/Section";
import { LoadingState } from "../../components/States";
import { PaneBar, PaneBody, Panes } from "../../places/Panes";
import { t } from "../../strings";
import { wear } from "../../styles/theme";
import type { Overview, Theme } from "../../types";
import { SecretsSettings } from "../secrets/SecretsSettings";
import { About } from "./About";
import { AnsweringSettings } from "./AnsweringSettings";
import { BackgroundSetting } from "./BackgroundSetting";
import { ContrastSetting } from "./ContrastSetting";
import { FormattingSetting } from "./FormattingSetting";
import { KeySettings } from "./KeySettings";
import { NotificationSettings } from "./NotificationSettings";
import { NumberSetting } from "./NumberSetting";
import { QuitSetting } from "./QuitSetting";
import { SelectSetting } from "./SelectSetting";
import { SessionSettings } from "./SessionSettings";
import css from "./Settings.module.css";
import { ShortcutSetting } from "./ShortcutSetting";
import { useSection } from "./useSection";
import { useSettings } from "./useSettings";
import { ZoomSetting } from "./ZoomSetting";

const THEMES = Object.entries(t.settings.themes) as [Theme, string][];
const LOG_LEVELS = Object.entries(t.settings.logLevels);

/** Settings: each saved when it is changed. */
export function SettingsPlace({ overview }: { overview: Overview | undefined }) {
  if (overview === undefined) return <LoadingState />;
  return <Panes favour="list" list={<Settings overview={overview} />} detail={<About overview={overview} />} />;
}

function Settings({ overview }: { overview: Overview }) {
  const { settings, troubles } = overview;
  const edited = useSettings(settings);
  const { chosen, save, savingOf } = edited;
  const sections = useRef<HTMLDivElement>(null);
  useSection(sections);
  const chooseTheme = async (theme: Theme) => {
    // At once, not when the desk has it; back when it refuses.
    wear(theme);
    if (!(await save("theme", theme))) wear(settings.theme);
  };
  return (
    <>
      <PaneBar>
        <span className={css.soft}>{t.settings.title}</span>
      </PaneBar>
      <PaneBody label={t.settings.title}>
        <div ref={sections} className={css.columns}>
          <Section title={t.settings.look}>
            <div className={css.fields}>
              <SelectSetting
                label={t.settings.theme}
                value={chosen.theme}
                options={THEMES}
                onChange={(theme) => void chooseTheme(theme)}
                saving={savingOf("theme")}
              />
              <ContrastSetting />
              <ZoomSetting />
              <FormattingSetting />
            </div>
          </Section>
          <KeySettings />
          <NotificationSettings edited={edited} overview={overview} />
          <AnsweringSettings edited={edited} />
          <Section title={t.settings.following}>
            <div className={css.fields}>
              <BackgroundSetting edited={edited} overview={overview} />
              <QuitSetting />
              <SessionSettings />
              <ShortcutSetting overview={overview} />
              <NumberSetting
                setting="pollFloorMs"
                edited={edited}
                label={t.settings.pollFloor}
                hint={t.settings.pollFloorHint}
                unit={t.settings.seconds}
                factor={1_000}
              />
              <NumberSetting
                setting="pollsPerSecond"
                edited={edited}
                label={t.settings.pace}
                hint={t.settings.paceHint}
                unit={t.settings.aSecond}
                factor={1}
              />
              <NumberSetting
                setting="messageLimit"
                edited={edited}
                label={t.settings.messageLimit}
                hint={t.settings.messageLimitHint}
                unit={t.settings.mebibytes}
                factor={1_048_576}
              />
            </div>
          </Section>
          <Section title={t.settings.keeping}>
            <div className={css.fields}>
              <NumberSetting
                setting="keepDays"
                edited={edited}
                label={t.settings.keepDays}
                hint={t.settings.keepDaysHint}
                unit={t.settings.days}
                factor={1}
              />
              <NumberSetting
                setting="keepMib"
                edited={edited}
                label={t.settings.keepMib}
                hint={t.settings.keepMibHint}
                unit={t.settings.mebibytes}
                factor={1}
              />
            </div>
          </Section>
          <SecretsSettings troubles={troubles} />
          <Section title={t.settings.log}>
            <SelectSetting
              label={t.settings.logLevel}
              hint={t.settings.logLevelHint}
              value={chosen.logLevel}
              options={LOG_LEVELS}
              onChange={(level) => void save("logLevel", level)}
              saving={savingOf("logLevel")}
            />
          </Section>
        </div>
      </PaneBody>
    </>
  );
}
