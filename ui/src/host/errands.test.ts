import { afterEach, beforeEach, expect, it, vi } from "vitest";

const invoke = vi.hoisted(() => vi.fn());
vi.mock("@tauri-apps/api/core", () => ({ invoke }));

type Settle = { resolve: (errand: unknown) => void; reject: (error: unknown) => void };

let waits: { after: unknown; settle: Settle }[];
const others = () => invoke.mock.calls.map(([command]) => command as string).filter((command) => command !== "next_errand");

beforeEach(() => {
  waits = [];
  vi.useFakeTimers();
  vi.resetModules();
  invoke.mockReset().mockImplementation((command: string, args?: { after?: number }) => {
    if (command !== "next_errand") return Promise.resolve();
    return new Promise((resolve, reject) => waits.push({ after: args?.after, settle: { resolve, reject } }));
  });
});
afterEach(() => vi.useRealTimers());

async function tell(errand: unknown) {
  waits.at(-1)?.settle.resolve(errand);
  await vi.advanceTimersByTimeAsync(0);
}

it("runs one errand after the other, and says that it did", async () => {
  const { tauriHost } = await import("./tauri");
  const [asks, saves] = [vi.fn(), vi.fn(() => Promise.resolve(true))];
  tauriHost.onCloseRequested(asks);
  tauriHost.onLeaving(saves);
  expect(waits, "one wait is enough for both").toHaveLength(1);
  await tell({ number: 4, errand: "ask_about_closing", stops: { live: 2 } });
  expect(asks).toHaveBeenCalledWith({ live: 2 });
  await tell({ number: 5, errand: "save" });
  expect(saves).toHaveBeenCalledOnce();
  expect(waits.map(({ after }) => after), "what comes meanwhile is not lost").toEqual([undefined, 4, 5]);
  expect(others()).toEqual(["asks_about_closing", "has_saved"]);
});

it("says that something could not be saved", async () => {
  const { tauriHost } = await import("./tauri");
  tauriHost.onLeaving(() => Promise.resolve(false));
  await tell({ number: 1, errand: "save" });
  expect(invoke, "the page has the only copy").toHaveBeenCalledWith("has_saved", { all: false });
});

it("waits anew after a failure, without haste", async () => {
  const { tauriHost } = await import("./tauri");
  tauriHost.onLeaving(() => Promise.resolve(true));
  waits[0]?.settle.reject({ code: "internal", message: "gone", retry: "never" });
  await vi.advanceTimersByTimeAsync(999);
  expect(waits).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(waits).toHaveLength(2);
});

it("leaves an errand alone that nobody runs any more", async () => {
  const { tauriHost } = await import("./tauri");
  const asks = vi.fn();
  const stop = tauriHost.onCloseRequested(asks);
  stop();
  await tell({ number: 1, errand: "ask_about_closing", stops: {} });
  expect(asks).not.toHaveBeenCalled();
  expect(others(), "unheard, the system asks").toEqual([]);
});
