import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/faces.css";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "./app/App";
import { HostProvider } from "./host/context";
import { tauriHost } from "./host/tauri";
import { lookAhead } from "./store/ahead";
import { wearLastContrast } from "./styles/highContrast";
import { wearLast } from "./styles/theme";

const root = document.getElementById("root");
if (!root) throw new Error("BUG: index.html has no root");
wearLast();
wearLastContrast();

// Drawn once with what there is to show, not first without and then again.
void lookAhead(tauriHost, { type: "overview" }).then(() => {
  createRoot(root).render(
    <StrictMode>
      <HostProvider value={tauriHost}>
        <App />
      </HostProvider>
    </StrictMode>,
  );
});
