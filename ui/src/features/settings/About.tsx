import { CopyButton } from "../../components/CopyButton";
import { Facts, Section } from "../../components/Section";
import { ServerWord } from "../../components/ServerText";
import { quoted } from "../../format/shell";
import { visible } from "../../format/text";
import { PaneBar, PaneBody } from "../../places/Panes";
import { OWNER, t } from "../../strings";
import type { Overview } from "../../types";
import { DemoSettings } from "../first/DemoSettings";
import { Hint } from "../first/Hint";
import { Diagnostics } from "./Diagnostics";
import { GraphicsNote } from "./GraphicsNote";
import css from "./Settings.module.css";
import { TroubleNote } from "./TroubleNote";

/** The right pane: where the data is, who holds it, what is wrong, and a text for a bug report. */
export function About({ overview: { owner, servers, troubles } }: { overview: Overview }) {
  // Without it another data directory may be meant than this window's.
  const serve = t.first.guide.steps.follow.command(quoted(owner.home));
  return (
    <>
      <PaneBar>
        <span className={css.soft}>{t.settings.about}</span>
      </PaneBar>
      <PaneBody label={t.settings.about}>
        <Section title={t.settings.data}>
          <Facts
            facts={[
              [t.settings.directory, <Directory key="directory" path={owner.home} />],
              [t.settings.heldBy, OWNER[owner.kind]],
              [t.settings.process, String(owner.pid)],
              [t.settings.version, <ServerWord key="version" text={owner.version} />],
            ]}
          />
          <p className={css.soft}>{t.settings.ownerMeans[owner.kind]}</p>
          <GraphicsNote />
          {/* Those of notifications and secrets stand with their settings. */}
          {troubles
            .filter((trouble) => trouble.code !== "notifications_failed" && trouble.code !== "secrets_locked")
            .map((trouble) => (
              <TroubleNote key={`${trouble.code} ${trouble.message}`} trouble={trouble} />
            ))}
        </Section>
        <Hint step="follow">
          <p className={css.line}>
            <code className={css.command}>{visible(serve)}</code> <CopyButton text={serve} />
          </p>
        </Hint>
        <DemoSettings servers={servers} />
        <Diagnostics />
      </PaneBody>
    </>
  );
}

function Directory({ path }: { path: string }) {
  return (
    <>
      <ServerWord text={path} /> <CopyButton text={path} />
    </>
  );
}
