import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { go } from "../places/nav";
import { announce } from "../store/announce";
import { showing } from "../test/desk";
import { FakeHost } from "../test/FakeHost";
import { renderWith } from "../test/render";
import { anOverview, aTask } from "../test/samples";
import { Announcer } from "./Announcer";
import { App } from "./App";

const counts = (inbox: number, ended: number, arrived = inbox, expiring = 0) =>
  anOverview({
    inbox,
    tabs: { needsYou: inbox, expiring, snoozed: 0, answered: 0, noLongerAsked: 0, arrived },
    tasks: { needsYou: inbox, working: 0, ended },
  });
const pass = (ms: number): void =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });
const region = () => screen.getByRole("status", { name: "News" });

function open(...first: Parameters<typeof counts>) {
  const { rerender } = render(<Announcer overview={counts(...first)} />);
  return (...next: Parameters<typeof counts>) => rerender(<Announcer overview={counts(...next)} />);
}

describe("the announcer", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it("says nothing of what was there at the start, nor of what went", () => {
    const then = open(3, 9);
    then(2, 8);
    pass(60_000);
    expect(region().textContent).toBe("");
  });

  it("sums up what comes within a moment, politely and in one region", () => {
    const then = open(0, 9);
    then(1, 10);
    then(2, 10);
    then(3, 12);
    expect(region().textContent, "it waits for what else comes").toBe("");
    pass(1_000);
    expect(region().textContent).toBe("A question has come: 3 are open. 3 tasks have ended.");
    expect(region().getAttribute("aria-live")).toBe("polite");
  });

  it("says that a question has come also where another was answered in the same look", () => {
    const then = open(2, 0, 7);
    then(2, 0, 8);
    pass(1_000);
    expect(region().textContent).toBe("A question has come: 2 are open.");
  });

  it("does not say that a question has come which is only back", () => {
    const then = open(0, 0, 7);
    then(1, 0, 7);
    pass(1_000);
    expect(region().textContent).toBe("A question needs you again: 1 is open.");
  });

  it("says nothing of a count that another owner began anew", () => {
    const then = open(2, 0, 7);
    then(2, 0, 0);
    pass(1_000);
    expect(region().textContent).toBe("");
  });

  it("says that questions expire soon, together with what else there is to say", () => {
    const then = open(3, 0, 3, 0);
    then(3, 1, 3, 1);
    then(3, 1, 3, 2);
    pass(1_000);
    expect(region().textContent).toBe("2 questions expire soon. A task has ended.");
    then(2, 1, 3, 1);
    pass(60_000);
    expect(region().textContent, "one less is no news").toBe("");
  });

  it("says that questions are no longer asked, which need nobody", () => {
    const unasked = (n: number) => anOverview({ tabs: { needsYou: 0, expiring: 0, snoozed: 0, answered: n, noLongerAsked: n, arrived: 0 } });
    const { rerender } = render(<Announcer overview={unasked(1)} />);
    rerender(<Announcer overview={unasked(3)} />);
    pass(1_000);
    expect(region().textContent).toBe("2 questions are no longer asked.");
  });

  it("leaves some seconds between two, and repeats nothing", () => {
    const said: string[] = [];
    const then = open(0, 0);
    for (let n = 1; n <= 100; n += 1) {
      then(0, n);
      pass(100);
      const text = region().textContent;
      if (text !== "" && text !== said.at(-1)) said.push(text);
    }
    expect(said.length, "ten seconds of a hundred ended tasks").toBeLessThanOrEqual(2);
    pass(60_000);
    expect(region().textContent, "then it is silent").toBe("");
  });

  it("says the last of what was said of one thing", () => {
    open(0, 0);
    act(() => {
      announce("list", () => "12 tasks.");
      announce("list", () => "3 tasks.");
    });
    pass(1_000);
    expect(region().textContent).toBe("3 tasks.");
  });
});

describe("a list that is narrowed", () => {
  afterEach(cleanup);

  it("has its rest said, and its first rows not", async () => {
    go("tasks");
    const tasks = ["one", "two", "twofold"].map((summary) => aTask({ id: summary, summary }));
    renderWith(new FakeHost(showing({ tasks }), (command) => (command.type === "read_filter" ? { type: "filtered" } : { type: "done" })), <App />);
    await screen.findByRole("grid", { name: "Tasks" });
    expect(region().textContent).toBe("");
    await userEvent.keyboard("/two");
    await waitFor(() => expect(region().textContent).toBe("2 tasks."));
  });
});
