import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { faults } from "../../test/axe";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { ago } from "../../test/samples";
import type { Exchange, RequestLog } from "../../types";
import { Requests } from "./Requests";

/** What every exchange says. */
const PART = { times: 1, firstAt: ago(60_000), at: ago(1_000) };

const exchange = (change: Partial<Exchange>): Exchange => ({ ...PART, method: "tasks/get", tookMs: 41, bytes: 300, brought: { as: "news" }, ...change });

function show(change: Partial<RequestLog>): FakeHost {
  const log: RequestLog = { since: ago(600_000), leftOut: 0, exchanges: [], states: [], ...change };
  const host = new FakeHost(() => ({ type: "request_log", log }));
  renderWith(host, <Requests call="t1" />);
  return host;
}

describe("the request log of a task", () => {
  it("tells each exchange in a line, the last one first", async () => {
    show({
      exchanges: [
        exchange({ method: "tools/call", tookMs: 1_230 }),
        exchange({}),
        exchange({ times: 1_284, brought: { as: "same" } }),
        { ...PART, method: "tasks/get", tookMs: 41, brought: { as: "error", code: "throttled", number: 429 } },
        { ...PART, method: "notifications/tasks", bytes: 300, brought: { as: "news" } },
      ],
    });
    const lines = await screen.findAllByRole("listitem");
    const told = lines.map((line) => [line.querySelector("code")?.textContent, line.lastElementChild?.textContent]);
    expect(told).toEqual([
      ["notifications/tasks", "a new state · 300 B"],
      ["tasks/get", "The server asked Signalbox to slow down (429) · 41 ms"],
      ["tasks/get", "nothing new · 41 ms · 300 B"],
      ["tasks/get", "a new state · 41 ms · 300 B"],
      ["tools/call", "an answer · 1.2 s · 300 B"],
    ]);
    expect(within(lines[2] as HTMLElement).getByText(/1,284 times since/)).toBeTruthy();
    expect(within(lines[3] as HTMLElement).queryByText(/times/)).toBeNull();
    expect(await faults()).toEqual([]);
  });

  it("says since when it remembers, and what it has let go", async () => {
    show({ leftOut: 12, exchanges: [exchange({})] });
    expect(await screen.findByText(/^Since Signalbox started, at .*12 older lines are no longer remembered\.$/)).toBeTruthy();
  });

  it("says that nothing is remembered rather than that nothing was", async () => {
    show({});
    expect(await screen.findByText(/What was before is not remembered/)).toBeTruthy();
    expect(screen.queryByRole("list")).toBeNull();
  });

  it("folds the last states away, each as text", async () => {
    show({ exchanges: [exchange({})], states: [{ at: ago(2_000), json: '{"statusMessage":"<img src=x onerror=alert(1)>"}' }] });
    const state = await screen.findByRole("figure", { hidden: true });
    expect(state.closest("details")?.open).toBe(false);
    expect(state.querySelector("img"), "what a server says is text").toBeNull();
  });
});
