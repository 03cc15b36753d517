import { expect, it, vi } from "vitest";

import capabilities from "../../../src-tauri/capabilities/main.json";

const invoke = vi.hoisted(() => vi.fn(() => Promise.resolve()));
vi.mock("@tauri-apps/api/core", () => ({ invoke }));

it("asks Tauri itself for what the window may: a name that is not allowed would fail in silence", async () => {
  const { tauriHost } = await import("./tauri");
  await tauriHost.zoom(1.2);
  expect(invoke.mock.calls).toEqual([["plugin:webview|set_webview_zoom", { value: 1.2 }]]);
  expect(capabilities.permissions).toContain("core:webview:allow-set-webview-zoom");
});
