import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ago, aServer, aTask, NOW } from "../test/samples";
import type { NoteCode, ServerView, TaskRow } from "../types";
import { signalOfServer, signalOfTask, type Lamp } from "./lamp";
import { StatusLamp } from "./StatusLamp";

const CASES: [Partial<TaskRow>, Lamp, string][] = [
  [{}, "working", "working"],
  [{ group: "needs_you", status: "input_required" }, "needs_you", "needs you"],
  [{ status: "input_required" }, "idle", "waiting for input"],
  [{ cancel: { requestedAt: "2026-11-21T14:00:00Z" } }, "working", "cancelling"],
  [{ tracking: "unreachable" }, "unreachable", "unreachable"],
  [{ tracking: "stalled" }, "unreachable", "stalled"],
  [{ tracking: "sign_in_needed" }, "needs_you", "sign in"],
  [{ status: "unknown", statusText: "paused" }, "unknown", "paused"],
  [{ status: "unknown", statusText: "done\u202e" }, "unknown", "done⟨202E⟩"],
  [{ outcome: "ok", status: "completed" }, "done", "done"],
  [{ outcome: "tool_error", status: "completed" }, "tool_error", "tool error"],
  [{ outcome: "protocol_error", status: "failed" }, "failed", "failed"],
  [{ outcome: "cancelled", status: "cancelled" }, "cancelled", "cancelled"],
  [{ outcome: "expired" }, "expired", "expired"],
  [{ outcome: "lost" }, "lost", "lost"],
  [{ outcome: "unknown" }, "unknown", "unknown"],
  [{ outcome: "ok", tracking: "unreachable" }, "done", "done"],
];

describe("a task's signal", () => {
  it.each(CASES)("%o shows as %s, %s", (change, lamp, word) => {
    expect(signalOfTask(aTask(change))).toEqual({ lamp, word });
  });
});

const at = (ms: number) => ago(ms, NOW);
const away = { state: "unreachable", code: "unreachable", reason: { kind: "said", message: "refused" }, since: at(600_000), retryAt: at(590_000) } as const;
const odd = (code: NoteCode) => ({ state: "unusable", code, reason: { kind: "said", message: "no" }, triedAt: at(240_000) }) as const;
const missed = { code: "unreachable", reason: { kind: "said", message: "refused" }, at: at(240_000) } as const;
const waiting = { needsYou: 0, working: 1, ended: 0 };

const SERVERS: [Partial<ServerView>, Lamp, string, "lit" | "faded"][] = [
  [{ heardAt: at(60_000) }, "done", "answers", "lit"],
  [{ heardAt: at(60_001) }, "done", "answered 1 min ago", "faded"],
  [{ heardAt: at(4 * 60_000), tasks: waiting }, "done", "answered 4 min ago", "faded"],
  [{ health: { state: "unknown" }, heardAt: at(4 * 60_000) }, "done", "answered 4 min ago", "faded"],
  [{ health: { state: "unknown" }, connectingSince: at(9_000) }, "working", "connecting", "lit"],
  [{ health: { state: "unknown", missed }, connectingSince: at(9_000) }, "working", "connecting", "lit"],
  [{ health: { ...away, triedAt: at(20_000) }, connectingSince: at(9_000) }, "unreachable", "unreachable", "lit"],
  [{ health: { state: "unknown", missed }, heardAt: at(9 * 60_000) }, "unreachable", "not reached 4 min ago", "faded"],
  [{ health: { ...away, triedAt: at(20_000) } }, "unreachable", "unreachable", "lit"],
  [{ health: { ...away, triedAt: at(240_000) } }, "unreachable", "not reached 4 min ago", "faded"],
  [{ health: { ...away, triedAt: at(240_000) }, tasks: waiting }, "unreachable", "unreachable", "lit"],
  [{ health: odd("not_mcp") }, "failed", "unusable 4 min ago", "faded"],
  [{ health: odd("legacy_only"), tasks: waiting }, "failed", "unusable", "lit"],
  [{ health: { state: "sign_in_needed", since: at(600_000) } }, "needs_you", "sign in", "lit"],
  [{ enabled: false, heardAt: at(1_000) }, "idle", "off", "lit"],
];

describe("a server's signal", () => {
  it.each(SERVERS)("%o shows as %s, %s, %s", (change, lamp, word, light) => {
    expect(signalOfServer(aServer(change), NOW)).toEqual({ lamp, word, ...(light === "faded" && { faded: true }) });
  });

  it.each([
    ["not_trusted", "confirm command", "confirm"],
    ["secrets_locked", "unlock secrets", "unlock"],
  ] as const)("of one that is %s has a short word, too, for where its name needs the room", (code, word, brief) => {
    expect(signalOfServer(aServer({ health: odd(code) }), NOW)).toEqual({ lamp: "needs_you", word, brief });
  });

  it("says of one that never answered that it was not tried, and of one whose answer is not dated no age", () => {
    const { heardAt: _, ...silent } = aServer();
    expect(signalOfServer({ ...silent, health: { state: "unknown" } }, NOW)).toEqual({ lamp: "idle", word: "not tried yet" });
    expect(signalOfServer(silent, NOW)).toEqual({ lamp: "done", word: "answered before", faded: true });
  });
});

/** What is drawn, part by part, by its geometry. */
function outline(container: HTMLElement): string {
  const parts = [...container.querySelectorAll("svg *")];
  return parts.map((part) => [part.tagName, ...part.getAttributeNames().map((name) => part.getAttribute(name))].join(" ")).join("\n");
}

describe("StatusLamp", () => {
  it("draws each status as a shape of its own, so that colour is never needed", () => {
    const lamps = [...new Set(CASES.map(([, lamp]) => lamp))];
    const shapes = lamps.map((lamp) => outline(render(<StatusLamp lamp={lamp} />).container));
    expect(new Set(shapes).size).toBe(lamps.length);
  });

  it("is silent beside its word and speaks where it stands alone", () => {
    render(<StatusLamp lamp="done" />);
    expect(screen.queryByRole("img")).toBeNull();
    render(<StatusLamp lamp="failed" word="failed" />);
    expect(screen.getByRole("img", { name: "failed" })).toBeTruthy();
  });
});

const pass = () =>
  act(() => {
    vi.advanceTimersByTime(1_000);
  });

describe("the ring of work under way", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("stands still, and where it turns it takes a step a second", () => {
    const still = render(<StatusLamp lamp="working" />).container;
    const turning = render(<StatusLamp lamp="working" turning />).container;
    const [before, at] = [outline(still), outline(turning)];
    const seen = new Set([at]);
    for (let second = 0; second < 7; second += 1) {
      pass();
      seen.add(outline(turning));
    }
    expect(seen.size, "all the way round").toBe(8);
    pass();
    expect(outline(turning)).toBe(at);
    expect(outline(still)).toBe(before);
  });

  it("is no animation, nor is anything else that shows at rest", () => {
    const root = join(import.meta.dirname, "..");
    const sheets = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".css"));
    const animated = sheets.filter((name) => /animation(-name)?:(?! none)/.test(readFileSync(join(root, name), "utf8")));
    expect(animated, "what is on its way appears late, once, and what comes by itself is seen to come, once").toEqual([
      "components/States.module.css",
      "places/Panes.module.css",
    ]);
  });
});
