import { CSPProvider } from "@base-ui/react/csp-provider";
import { useEffect } from "react";

import { listenForKeys } from "../actions/keys";
import { keepFocus } from "../components/focus";
import { CloseDialog } from "../features/close/CloseDialog";
import { FirstPlace, isFirst } from "../features/first/FirstPlace";
import { InboxPlace } from "../features/inbox/InboxPlace";
import { ServersPlace } from "../features/servers/ServersPlace";
import { SettingsPlace } from "../features/settings/SettingsPlace";
import { StartPlace } from "../features/start/StartPlace";
import { TasksPlace } from "../features/tasks/TasksPlace";
import { useNav } from "../places/nav";
import { useView } from "../store/useView";
import type { Overview } from "../types";
import css from "./App.module.css";
import { Banners } from "./Banners";
import { HelpDialog } from "./HelpDialog";
import { Rail } from "./Rail";
import { useBadge, useForward, useFront, useReady, useTheme } from "./shell";

/** The window. */
export function App() {
  const overview = useView({ type: "overview" });
  useEffect(() => listenForKeys(window), []);
  useEffect(keepFocus, []);
  useTheme(overview.data?.settings.theme);
  useBadge(overview.data?.inbox);
  useForward();
  useFront();
  useReady(overview.status !== "loading");
  return (
    // Base UI's own style elements would be inline styles, which the content security policy forbids.
    <CSPProvider disableStyleElements>
      <div className={css.window}>
        <Rail overview={overview.data} />
        <main className={css.main}>
          <Banners overview={overview} />
          <CurrentPlace overview={overview.data} />
        </main>
      </div>
      <HelpDialog />
      <CloseDialog />
    </CSPProvider>
  );
}

function CurrentPlace({ overview }: { overview: Overview | undefined }) {
  const place = useNav((nav) => nav.place);
  switch (place) {
    case "inbox":
      return overview && isFirst(overview) ? <FirstPlace /> : <InboxPlace overview={overview} />;
    case "tasks":
      return <TasksPlace overview={overview} />;
    case "start":
      return <StartPlace overview={overview} />;
    case "servers":
      return <ServersPlace overview={overview} />;
    case "settings":
      return <SettingsPlace overview={overview} />;
  }
}
