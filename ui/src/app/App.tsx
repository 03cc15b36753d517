import { CSPProvider } from "@base-ui/react/csp-provider";
import { useEffect } from "react";

import { listenForKeys } from "../actions/keys";
import { keepFocus, markKeys } from "../components/focus";
import { ErrorState } from "../components/States";
import { CloseDialog } from "../features/close/CloseDialog";
import { OtherVersion } from "../features/close/OtherVersion";
import { RestartBackground } from "../features/close/RestartBackground";
import { HelpDialog } from "../features/help/HelpDialog";
import { LinkDialog } from "../features/link/LinkDialog";
import { PaletteDialog } from "../features/palette/PaletteDialog";
import { useNav } from "../places/nav";
import { useView } from "../store/useView";
import { OPEN_ADVICE } from "../strings";
import { Announcer } from "./Announcer";
import css from "./App.module.css";
import { Banners } from "./Banners";
import { Rail } from "./Rail";
import { SCREENS } from "./screens";
import { useChosenKeys, useContrast, useForward, useFront, useLeaving, useReady, useTheme, useZooming } from "./shell";

/** The window. */
export function App() {
  const overview = useView({ type: "overview" });
  const Screen = SCREENS[useNav((nav) => nav.place)];
  useEffect(() => listenForKeys(window), []);
  useEffect(keepFocus, []);
  useEffect(markKeys, []);
  useTheme(overview.data?.settings.theme);
  useContrast();
  useZooming();
  useChosenKeys();
  useForward();
  useFront();
  useLeaving();
  useReady(overview.status !== "loading");
  return (
    // Base UI's own style elements would be inline styles, which the content security policy forbids.
    <CSPProvider disableStyleElements>
      <div className={css.window}>
        <Rail overview={overview.data} />
        <main className={css.main}>
          <Banners overview={overview} />
          <OtherVersion owner={overview.data?.owner} />
          <CloseDialog />
          {overview.error && overview.data === undefined ? (
            // Nothing was ever seen, so no place has anything to say.
            <ErrorState
              error={overview.error}
              onRetry={overview.retry}
              advice={OPEN_ADVICE[overview.error.code]}
              action={overview.error.code === "version_mismatch" && <RestartBackground />}
            />
          ) : (
            <Screen overview={overview.data} />
          )}
        </main>
      </div>
      <Announcer overview={overview.data} />
      <PaletteDialog servers={overview.data?.servers} />
      <LinkDialog />
      <HelpDialog />
    </CSPProvider>
  );
}
