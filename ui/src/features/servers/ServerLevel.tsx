import { Section } from "../../components/Section";
import { useView } from "../../store/useView";
import { t } from "../../strings";
import type { ServerView, Settings } from "../../types";
import { RuleLevel } from "../settings/RuleLevel";
import type { RuleOf } from "../settings/rules";
import { useSettings } from "../settings/useSettings";

/** How much is told of a server. */
export function ServerLevel({ server }: { server: ServerView }) {
  return (
    <Section title={t.settings.notifications}>
      <Level of={{ server: server.id }} label={t.servers.level} />
    </Section>
  );
}

/** How much is told of one of its tools. */
export function ToolLevel({ server, tool }: { server: ServerView; tool: string }) {
  return <Level of={{ server: server.id, tool }} label={t.servers.toolLevel(tool)} />;
}

function Level(props: { of: RuleOf; label: string }) {
  const settings = useView({ type: "overview" }).data?.settings;
  return settings && <Known settings={settings} {...props} />;
}

function Known({ settings, ...props }: { settings: Settings; of: RuleOf; label: string }) {
  return <RuleLevel edited={useSettings(settings)} {...props} />;
}
