import "../src/styles/tokens.css";
import "../src/styles/base.css";

import { createRoot } from "react-dom/client";

import { App } from "../src/app/App";
import { HostProvider } from "../src/host/context";
import { go, select } from "../src/places/nav";
import type { Place } from "../src/places/table";
import { sampleHost } from "./sampleHost";

// What is shown comes by the address: ?theme=dark&place=tasks&task=t7&request=r1&server=s2&world=empty&close=3&locked
const wish = new URLSearchParams(location.search);
const { host, overview } = sampleHost(wish.get("world") ?? "busy");
const theme = wish.get("theme");
if (theme === "light" || theme === "dark") overview.settings.theme = theme;
if (wish.has("locked")) overview.troubles.push({ code: "secrets_locked", message: "locked" });
const place = wish.get("place");
if (place) go(place as Place);
for (const kind of ["task", "request", "server"] as const) {
  const id = wish.get(kind);
  if (id) select({ [kind]: id });
}

const root = document.getElementById("root");
if (!root) throw new Error("BUG: index.html has no root");
createRoot(root).render(
  <HostProvider value={host}>
    <App />
  </HostProvider>,
);

const live = Number(wish.get("close"));
const ends = [{ id: "t3", server: "build", tool: "compile", why: "program" as const }];
const closing = { live, follower: "window" as const, ending: 1, ends, unsure: false, held: 2, forgotten: [], unseen: false, quits: false };
if (live > 0) setTimeout(() => host.requestClose(closing), 200);
