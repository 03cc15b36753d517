import { expect, it, vi } from "vitest";

import capabilities from "../../../src-tauri/capabilities/main.json";

const invoke = vi.hoisted(() => vi.fn(() => Promise.resolve()));
vi.mock("@tauri-apps/api/core", () => ({ invoke }));

it("asks Tauri itself for what the window may: a name that is not allowed would fail in silence", async () => {
  const { tauriHost } = await import("./tauri");
  await tauriHost.setBadge(3);
  await tauriHost.setBadge(0);
  await tauriHost.zoom(1.2);
  expect(invoke.mock.calls).toEqual([
    ["plugin:window|set_badge_count", { value: 3 }],
    ["plugin:window|set_badge_count", { value: null }],
    ["plugin:webview|set_webview_zoom", { value: 1.2 }],
  ]);
  expect(capabilities.permissions).toEqual(expect.arrayContaining(["core:window:allow-set-badge-count", "core:webview:allow-set-webview-zoom"]));
});
