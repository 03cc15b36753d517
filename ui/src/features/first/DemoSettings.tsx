import { Section } from "../../components/Section";
import { t } from "../../strings";
import type { ServerView } from "../../types";
import { RemoveDemo } from "./RemoveDemo";
import { StartDemo } from "./StartDemo";

/** Starts the demo, or takes it away again. */
export function DemoSettings({ servers }: { servers: readonly ServerView[] }) {
  const here = servers.some((server) => server.demo);
  return (
    <Section title={t.first.demo.title}>
      <p>{here ? t.first.demo.here : t.first.try.short}</p>
      <div>{here ? <RemoveDemo /> : <StartDemo />}</div>
    </Section>
  );
}
