import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/faces.css";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "./app/App";
import { HostProvider } from "./host/context";
import { tauriHost } from "./host/tauri";
import { wearLastContrast } from "./styles/highContrast";
import { wearLast } from "./styles/theme";

const root = document.getElementById("root");
if (!root) throw new Error("BUG: index.html has no root");
wearLast();
wearLastContrast();
createRoot(root).render(
  <StrictMode>
    <HostProvider value={tauriHost}>
      <App />
    </HostProvider>
  </StrictMode>,
);
