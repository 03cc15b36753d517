import { readFileSync } from "node:fs";
import { join } from "node:path";

import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";

import { runAction } from "../../actions/registry";
import { DeskError } from "../../host/error";
import type { CloseRequest } from "../../host/host";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, aServer, wholly } from "../../test/samples";
import { CloseDialog } from "./CloseDialog";

const STOPS: CloseRequest = { live: 3, follower: "window", ending: 0, ends: [], unsure: false, held: 0, forgotten: [], unseen: false, quits: false };

async function asked(live = 3, host = new FakeHost(() => ({ type: "request" })), more: Partial<CloseRequest> = {}) {
  renderWith(host, <CloseDialog />);
  act(() => host.requestClose({ ...STOPS, live, ...more }));
  await screen.findByRole("dialog", { name: "Close Signalbox?" });
  return { host, user: userEvent.setup() };
}

const button = (name: string) => screen.getByRole("button", { name });

describe("closing while tasks run", () => {
  it("is not asked about before a person wants to close", () => {
    renderWith(new FakeHost(() => ({ type: "request" })), <CloseDialog />);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("says how many, what stops and what goes on", async () => {
    await asked(3);
    expect(button("Keep following").className, "nothing is lost by it").toMatch(/primary/);
    const text = screen.getByRole("dialog").textContent;
    expect(text).toContain("3 tasks are not over.");
    expect(text).toContain("3 tasks go on at their servers");
    expect(text).toContain("signalbox serve, which goes on with these 3 tasks");
    expect(text).not.toContain("undo time");
  });

  describe("with tasks of the demo, whose server stops with the window", () => {
    const demo = aServer({ id: "s2", name: "demo", demo: true, tasks: { needsYou: 1, working: 1, ended: 4 } });
    const overview = anOverview({ servers: [aServer({ tasks: { needsYou: 0, working: 1, ended: 0 } }), demo] });
    const text = () => screen.getByRole("dialog").textContent;

    it("says of the others only that they go on at their servers", async () => {
      await asked(3, new FakeHost(() => wholly(overview)));
      await waitFor(() => expect(text()).toContain("Closing stops the demo. Its 2 tasks are kept"));
      expect(text()).toContain("1 task goes on at its server");
      expect(text(), "serve runs the demo, too").toContain("signalbox serve, which goes on with these 3 tasks");
    });

    it("says so of none where there are no others", async () => {
      await asked(1, new FakeHost(() => wholly(overview)));
      await waitFor(() => expect(text()).toContain("Closing stops the demo. Its task is kept"));
      expect(text()).not.toMatch(/goes? on at/);
    });

    it("names the command that runs it", async () => {
      await asked(2, new FakeHost(() => wholly(overview)), { follower: "command" });
      await waitFor(() => expect(text()).toContain("The demo stops when the signalbox command ends. Its 2 tasks are kept"));
    });
  });

  it.each(["everything", "nothing"] as const)("says that serve notifies only where notifications are wanted: %s", async (level) => {
    const overview = anOverview({ settings: { ...anOverview().settings, notifications: { level, rules: [], contents: true } } });
    await asked(3, new FakeHost(() => wholly(overview)));
    const goesOn = await screen.findByText(/^“Keep following” starts/);
    await waitFor(() => expect(goesOn.textContent.includes("notifies you")).toBe(level === "everything"));
    expect(goesOn.textContent).toContain("sends what you have answered");
  });

  it("names what nobody can go on with, and offers to follow the others only", async () => {
    const ends = [
      { id: "t1", server: "build", tool: "compile", why: "program" as const },
      { id: "t2", server: "ci", tool: "deploy", why: "waits" as const },
    ];
    await asked(4, undefined, { ending: 3, ends });
    const text = screen.getByRole("dialog").textContent;
    expect(text).toContain("3 end with this window");
    expect(text).toContain("build · compile (t1): its server is a program that this window runs");
    expect(text).toContain("ci · deploy (t2): the call waits for its answer");
    expect(text).toContain("and 1 more");
    expect(text).toContain("1 task goes on at its server");
    expect(text, "“this” would be the one that was named last, and that is lost").toContain("goes on with the other task in the background");
    expect(text).toContain("What ends is lost all the same.");
    expect(button("Keep following").className, "what loses something is not what is meant to be pressed").not.toMatch(/primary/);
  });

  it("has its lists scrolled by keys as well", async () => {
    const ends = Array.from({ length: 20 }, (_, n) => ({ id: `t${n}`, server: "build", tool: "compile", why: "program" as const }));
    await asked(20, undefined, { ending: 20, ends, forgotten: ["ci", "lab"] });
    const lists = [screen.getByRole("group", { name: /20 end with this window/ }), screen.getByRole("group", { name: /secrets/ })];
    expect(lists.map((list) => list.tabIndex), "they take the focus").toEqual([0, 0]);
    expect(lists.map((list) => list.querySelectorAll("li").length), "each is named").toEqual([20, 2]);
    await waitFor(() => expect(document.activeElement?.tagName, "it begins at a button").toBe("BUTTON"));
  });

  it("has no text of a list under its scrollbar", () => {
    const sheet = readFileSync(join(import.meta.dirname, "CloseDialog.module.css"), "utf8");
    const [scroll] = /\.scroll \{[^}]*\}/.exec(sheet) ?? [];
    expect(scroll, "where it lies above the text").toContain("padding: var(--space-1) var(--space-4) var(--space-1) 0;");
    expect(scroll, "where it takes room of its own").toContain("scrollbar-gutter: stable;");
  });

  it("does not offer to follow what would be lost by it", async () => {
    const ends = [{ id: "t1", server: "build", tool: "compile", why: "program" as const }];
    await asked(1, undefined, { ending: 1, ends });
    expect(screen.queryByRole("button", { name: "Keep following" })).toBeNull();
    expect(screen.getByRole("dialog").textContent).not.toContain("signalbox serve");
    expect(button("Close")).toBeTruthy();
  });

  it.each([
    [1, "1 answer is within its undo time."],
    [2, "2 answers are within their undo time."],
  ])("says before it that %s held go back to drafts", async (held, said) => {
    await asked(2, undefined, { held });
    expect(screen.getByRole("dialog").textContent).toContain(said);
    expect(screen.getByRole("dialog").textContent).toMatch(/goes back to (a draft|drafts)/);
  });

  it("says when it could not look at everything", async () => {
    await asked(9000, undefined, { unsure: true });
    expect(screen.getByRole("dialog").textContent).toContain("More may be lost");
  });

  it("counts what ends where there was no time to name it", async () => {
    await asked(5, undefined, { ending: 3, unsure: true });
    const text = screen.getByRole("dialog").textContent;
    expect(text).toContain("3 tasks of servers that are programs");
    expect(text).not.toContain("and 3 more");
    expect(text).toContain("2 tasks go on");
  });

  it("asks, and says why, where nothing is known of what stops", async () => {
    await asked(0, undefined, { unsure: true });
    const text = screen.getByRole("dialog").textContent;
    expect(text).toContain("could not find out in time what would stop");
    expect(text).not.toContain("More may be lost");
    expect(screen.queryByRole("button", { name: "Keep following" })).toBeNull();
    expect(button("Close")).toBeTruthy();
  });

  it("says what stops when a command follows them, as its guest", async () => {
    const ends = [{ id: "t1", server: "build", tool: "", why: "program" as const }];
    await asked(3, undefined, { follower: "command", ending: 1, ends });
    const text = screen.getByRole("dialog").textContent;
    expect(text).toContain("A signalbox command follows them for as long as it runs.");
    expect(text).toContain("a program that the command runs");
    expect(text).not.toContain("this window");
  });

  it.each([
    ["this_run", true],
    ["keychain", false],
    ["file", false],
  ] as const)("says that secrets are not handed on where they are kept in %s: %s", async (place, said) => {
    const host = new FakeHost(
      () => ({ type: "request" }),
      () => ({ type: "secrets", secrets: { place, state: "open" } }),
    );
    await asked(2, host);
    // The reply is there once all that is due has run.
    await act(() => new Promise<void>((resolve) => setTimeout(resolve)));
    expect(screen.queryByText(/kept for this run only are not passed on/) !== null).toBe(said);
    expect(host.commands).toEqual([{ type: "secrets" }]);
  });

  describe("waiting for what would be lost", () => {
    const ends = [{ id: "t1", server: "build", tool: "compile", why: "program" as const }];
    const seconds = (n: number) => act(() => vi.advanceTimersByTimeAsync(n * 1_000 + 100));

    it.each([
      ["hands over what goes on", 1, "keep"],
      ["closes where nothing does", 0, "close"],
    ])("%s once it has ended", async (_, left, choice) => {
      vi.useFakeTimers({ shouldAdvanceTime: true });
      try {
        const { host, user } = await asked(2, undefined, { ending: 1, ends });
        await user.click(button("Close when build · compile has ended"));
        await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
        expect(screen.getByRole("status").textContent).toContain("closes when 1 task has ended");
        host.stops = { ...STOPS, live: 2, ending: 1, ends };
        await seconds(2);
        expect(host.closed, "it has not ended").toEqual([]);
        host.stops = { ...STOPS, live: left };
        await seconds(1);
        expect(host.closed).toEqual([choice]);
      } finally {
        vi.useRealTimers();
      }
    });

    it("ends with a change of mind", async () => {
      const { host, user } = await asked(2, undefined, { ending: 1, ends });
      await user.click(button("Close when build · compile has ended"));
      await user.click(await screen.findByRole("button", { name: "Do not close" }));
      expect(screen.queryByRole("status")).toBeNull();
      expect(host.closed).toEqual([]);
    });

    describe("and closing again meanwhile", () => {
      async function askedAgain() {
        const { host, user } = await asked(2, undefined, { ending: 1, ends });
        await user.click(button("Close when build · compile has ended"));
        await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
        act(() => host.requestClose({ ...STOPS, live: 2, ending: 1, ends, quits: true }));
        await screen.findByRole("dialog", { name: "Quit Signalbox?" });
        return { host, user };
      }

      it("goes on with the wait when the person stays", async () => {
        vi.useFakeTimers({ shouldAdvanceTime: true });
        try {
          const { host, user } = await askedAgain();
          await user.keyboard("{Escape}");
          await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
          expect(screen.getByRole("status").textContent, "it is given up by its own button alone").toContain("closes when 1 task has ended");
          host.stops = { ...STOPS, live: 1 };
          await seconds(1);
          expect(host.closed).toEqual(["keep"]);
        } finally {
          vi.useRealTimers();
        }
      });

      it("does not close under the person's hands, nor once they stay where nothing is left to wait for", async () => {
        vi.useFakeTimers({ shouldAdvanceTime: true });
        try {
          const { host, user } = await askedAgain();
          host.stops = { ...STOPS, live: 1, quits: true };
          await seconds(2);
          expect(host.closed, "they are being asked whether to quit").toEqual([]);
          await user.click(button("Stay"));
          await seconds(2);
          expect(screen.queryByRole("status")).toBeNull();
          expect(host.closed, "the dialog said that nothing ends, and they stayed").toEqual([]);
        } finally {
          vi.useRealTimers();
        }
      });
    });

    it.each<[string, Partial<CloseRequest>]>([
      ["Close when t1 has ended", { ending: 1, ends: [{ id: "t1", server: "build", tool: "", why: "program" }] }],
      ["Close when aaaaaaaaaaaaaaaaaaaa… · bbbbbbbbbbbbbbbbbbbb… has ended", { ending: 1, ends: [{ id: "t1", server: "a".repeat(50), tool: "b".repeat(50), why: "program" }] }],
      ["Close when that task has ended", { ending: 1 }],
      ["Close when these 2 have ended", { ending: 2, ends }],
    ])("says for what, as far as that is known and fits: %s", async (name, more) => {
      await asked(3, undefined, more);
      expect(button(name)).toBeTruthy();
    });

    it("is offered for what would be lost alone", async () => {
      await asked(2);
      expect(screen.queryByRole("button", { name: /^Close when/ })).toBeNull();
    });
  });

  describe("quitting, where something goes on without the window", () => {
    async function askedToQuit(more: Partial<CloseRequest> = {}, host = new FakeHost(() => ({ type: "request" }))) {
      renderWith(host, <CloseDialog />);
      act(() => host.requestClose({ ...STOPS, follower: "serve", quits: true, ...more }));
      await screen.findByRole("dialog", { name: "Quit Signalbox?" });
      return { host, user: userEvent.setup() };
    }

    it("is an action, and asks the program what stops", () => {
      const host = new FakeHost(() => ({ type: "request" }));
      renderWith(host, <CloseDialog />);
      act(() => void runAction("quit"));
      expect(host.quits).toBe(1);
    });

    it("says what is lost and what goes on unseen, and offers nobody to follow", async () => {
      const ends = [{ id: "t1", server: "build", tool: "compile", why: "program" as const }];
      const { host, user } = await askedToQuit({ ending: 1, ends });
      const text = screen.getByRole("dialog").textContent;
      expect(text).toContain("1 ends with the background program");
      expect(text).toContain("2 tasks go on at their servers");
      expect(text).not.toContain("Keep following");
      expect(screen.queryByRole("button", { name: /^Close when/ })).toBeNull();
      await waitFor(() => expect(host.lookedAll).toBe(true));
      await user.click(button("Quit"));
      expect(host.closed).toEqual(["quit"]);
    });

    describe("that is the window's own program", () => {
      const ours = { follower: "window" as const };
      const text = () => screen.getByRole("dialog").textContent;

      it("speaks of Signalbox, and offers no other to follow and no wait", async () => {
        const ends = [
          { id: "t1", server: "build", tool: "compile", why: "program" as const },
          { id: "t2", server: "ci", tool: "deploy", why: "waits" as const },
        ];
        const { host, user } = await askedToQuit({ ...ours, live: 4, ending: 2, ends, held: 1 });
        expect(text()).toContain("2 end with Signalbox and cannot be resumed");
        expect(text()).toContain("build · compile (t1): its server is a program that Signalbox runs");
        expect(text()).toContain("ci · deploy (t2): the call waits for its answer on Signalbox's connection");
        expect(text()).toContain("2 tasks go on at their servers");
        expect(text()).toContain("If it has not gone out when you quit");
        expect(text(), "the window can close, and that ends nothing").not.toContain("this window");
        expect(text(), "nobody is to follow").not.toContain("signalbox serve");
        const buttons = screen.getAllByRole("button").map((shown) => shown.textContent);
        expect(buttons, "the page that would wait goes with the window").toEqual(["Quit", "Stay"]);
        await user.click(button("Quit"));
        expect(host.closed).toEqual(["quit"]);
      });

      it("looks again at what quitting stops, also once that is nothing", async () => {
        vi.useFakeTimers({ shouldAdvanceTime: true });
        try {
          const { host } = await askedToQuit({ ...ours, live: 1 });
          host.stops = null;
          await act(() => vi.advanceTimersByTimeAsync(1100));
          expect(host.lookedAll, "closing the window stops nothing").toBe(true);
          expect(text()).toContain("Quitting stops nothing.");
          expect(screen.getByRole("dialog", { name: "Quit Signalbox?" })).toBeTruthy();
        } finally {
          vi.useRealTimers();
        }
      });

      it("stops the demo", async () => {
        const demo = aServer({ demo: true, tasks: { needsYou: 1, working: 0, ended: 0 } });
        await askedToQuit({ ...ours, live: 1 }, new FakeHost(() => wholly(anOverview({ servers: [demo] }))));
        await waitFor(() => expect(text()).toContain("Quitting stops the demo."));
      });
    });

    it("says to a guest of a command who follows the tasks", async () => {
      await askedToQuit({ follower: "command", ending: 1 });
      const text = screen.getByRole("dialog").textContent;
      expect(text).toContain("1 ends with the signalbox command that follows it");
      expect(text, "none is started while quitting").not.toContain("Keep following");
    });
  });

  it("names the servers whose secrets quitting forgets", async () => {
    const host = new FakeHost(() => ({ type: "request" }));
    renderWith(host, <CloseDialog />);
    act(() => host.requestClose({ ...STOPS, live: 0, follower: "serve", quits: true, forgotten: ["ci", "build"] }));
    const text = (await screen.findByRole("dialog", { name: "Quit Signalbox?" })).textContent;
    expect(text).toContain("kept for this run only");
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual(["ci", "build"]);
    expect(text, "something does stop").not.toContain("stops nothing");
  });

  describe("a guest of the background program, where no tray shows that", () => {
    const unseen = { live: 0, follower: "serve", unseen: true } as const;

    it("says so, and lets it go on", async () => {
      const { host, user } = await asked(0, undefined, unseen);
      const text = screen.getByRole("dialog").textContent;
      expect(text).toContain("Nothing stops");
      expect(text).toContain("there is no tray here");
      await waitFor(() => expect(document.activeElement).toBe(button("Stay")));
      expect(host.lookedAll, "nothing stops, so nothing is looked at again").toBeUndefined();
      await user.click(button("Close"));
      expect(host.closed).toEqual(["close"]);
    });

    it("offers to quit it as well, which asks about what stops", async () => {
      const { host, user } = await asked(0, undefined, unseen);
      await user.click(button("Quit"));
      await waitFor(() => expect(host.quits).toBe(1));
      expect(host.stayed, "closing was answered first: two requests in a row would close at once").toBe(1);
      expect(host.closed).toEqual([]);
      expect(screen.queryByRole("dialog")).toBeNull();
    });
  });

  it("counts one task as one", async () => {
    await asked(1);
    expect(screen.getByText("1 task is not over.")).toBeTruthy();
  });

  it("begins at Stay, so that Enter closes nothing", async () => {
    const { host, user } = await asked();
    await waitFor(() => expect(document.activeElement).toBe(button("Stay")));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(host.closed).toEqual([]);
    expect(host.stayed).toBe(1);
  });

  it("follows what stops for as long as it is open", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      const { host } = await asked(3, undefined, { held: 1 });
      host.stops = { ...STOPS, live: 2 };
      await act(() => vi.advanceTimersByTimeAsync(1100));
      expect(screen.getByText("2 tasks are not over.")).toBeTruthy();
      expect(screen.getByRole("dialog").textContent, "it went out").not.toContain("undo time");
      host.stops = null;
      await act(() => vi.advanceTimersByTimeAsync(1100));
      expect(screen.getByText(/Everything has ended meanwhile/)).toBeTruthy();
      expect(screen.queryByRole("button", { name: "Keep following" })).toBeNull();
      host.whatStops = () => Promise.reject(new DeskError({ code: "owner_gone", message: "gone", retry: "later" }));
      await act(() => vi.advanceTimersByTimeAsync(1100));
      expect(screen.getByText(/Everything has ended meanwhile/), "what was seen last stays").toBeTruthy();
    } finally {
      vi.useRealTimers();
    }
  });

  it("stays closed when a look that was under way is answered late", async () => {
    const host = new FakeHost(() => ({ type: "request" }));
    let answer: (stops: CloseRequest) => void = () => undefined;
    host.whatStops = () => new Promise((resolve) => (answer = resolve));
    const { user } = await asked(3, host);
    await user.click(button("Stay"));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await act(() => {
      answer({ ...STOPS, live: 2 });
      return Promise.resolve();
    });
    expect(screen.queryByRole("dialog"), "the person has answered, and nobody asked again").toBeNull();
  });

  it("stays on Escape", async () => {
    const { host, user } = await asked();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(host.closed).toEqual([]);
    expect(host.stayed).toBe(1);
  });

  it.each([
    ["Keep following", "keep"],
    ["Close", "close"],
  ])("%s closes, and says %s", async (name, choice) => {
    const { host, user } = await asked();
    await user.click(button(name));
    expect(host.closed).toEqual([choice]);
  });

  it("closes once, however often it is pressed", async () => {
    const host = new FakeHost(() => ({ type: "request" }));
    let calls = 0;
    host.closeWindow = () => {
      calls += 1;
      return new Promise(() => undefined);
    };
    const { user } = await asked(3, host);
    await user.click(button("Keep following"));
    await user.click(button("Handing over…"));
    expect(calls).toBe(1);
  });

  it("stays with the reason when nobody else can follow, and asks anew the next time", async () => {
    const host = new FakeHost(() => ({ type: "request" }));
    host.closeWindow = () => Promise.reject(new DeskError({ code: "spawn_failed", message: "signalbox serve did not start", retry: "after_fix" }));
    const { user } = await asked(3, host);
    await user.click(button("Keep following"));
    expect((await screen.findByRole("alert")).textContent).toContain("signalbox serve did not start");
    expect(button("Keep following"), "it can be tried again").toHaveProperty("disabled", false);
    act(() => host.requestClose({ ...STOPS, live: 2 }));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByText("2 tasks are not over.")).toBeTruthy();
  });
});
