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
import { useGoesOn } from "./useGoesOn";

/** The right pane: where the data is, who holds it, what is wrong, and a text for a bug report. */
export function About({ overview }: { overview: Overview }) {
  const { owner, servers, troubles } = overview;
  const goesOn = useGoesOn(overview);
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
              [t.settings.logs, owner.logs !== undefined && <Directory key="logs" path={owner.logs} />],
              [t.settings.heldBy, OWNER[owner.kind]],
              [t.settings.process, String(owner.pid)],
              [t.settings.version, <ServerWord key="version" text={owner.version} />],
            ]}
          />
          {goesOn !== undefined && <p className={css.soft}>{t.settings.ownerMeans[goesOn && owner.kind === "window" ? "resident" : owner.kind]}</p>}
          <GraphicsNote />
          {/* Those of notifications and secrets stand with their settings. */}
          {troubles
            .filter((trouble) => trouble.code !== "notifications_failed" && trouble.code !== "secrets_locked")
            .map((trouble) => (
              <TroubleNote key={`${trouble.code} ${trouble.message}`} trouble={trouble} />
            ))}
        </Section>
        {goesOn !== undefined && <Hint step="follow">{goesOn ? <p>{t.first.guide.goesOn}</p> : <ServeCommand home={owner.home} />}</Hint>}
        <DemoSettings servers={servers} />
        <Diagnostics />
      </PaneBody>
    </>
  );
}

/** What follows the tasks once the window is closed. Without its directory another one may be meant than this window's. */
function ServeCommand({ home }: { home: string }) {
  const { means, command } = t.first.guide.serve;
  const serve = command(quoted(home));
  return (
    <>
      <p>{means}</p>
      <p className={css.line}>
        <code className={css.command}>{visible(serve)}</code> <CopyButton text={serve} />
      </p>
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
