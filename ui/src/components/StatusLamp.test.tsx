import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { aTask } from "../test/samples";
import type { TaskRow } from "../types";
import { signalOfTask, type Lamp } from "./lamp";
import { StatusLamp } from "./StatusLamp";

const CASES: [Partial<TaskRow>, Lamp, string][] = [
  [{}, "working", "working"],
  [{ group: "needs_you", status: "input_required" }, "needs_you", "needs you"],
  [{ cancel: { requestedAt: "2026-11-21T14:00:00Z" } }, "working", "cancelling"],
  [{ tracking: "unreachable" }, "unreachable", "unreachable"],
  [{ tracking: "stalled" }, "unreachable", "stalled"],
  [{ tracking: "sign_in_needed" }, "needs_you", "sign in"],
  [{ status: "unknown", statusText: "paused" }, "unknown", "paused"],
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
    expect(animated, "what is on its way appears late, once").toEqual(["components/States.module.css"]);
  });
});
