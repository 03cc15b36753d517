import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import { DeskError } from "../host/error";
import { currentNav, go, listAllServers, select } from "../places/nav";
import { showing, type SmallDesk } from "../test/desk";
import { FakeHost } from "../test/FakeHost";
import { renderWith } from "../test/render";
import { ago, anOverview, aRequest, aServer, aTask } from "../test/samples";
import { App } from "./App";

function open(desk: SmallDesk) {
  const host = new FakeHost(showing(desk));
  renderWith(host, <App />);
  return host;
}

describe("the window", () => {
  beforeEach(() => {
    go("tasks");
    select({ task: null, request: null, server: null });
    listAllServers("tasks");
    listAllServers("inbox");
  });

  it("shows in the rail what needs a person and how the servers are", async () => {
    const now = Date.now();
    open({
      overview: anOverview({
        inbox: 4,
        tasks: { needsYou: 4, working: 208, ended: 9 },
        servers: [
          aServer({ id: "s1", name: "ci", tasks: { needsYou: 1, working: 117, ended: 2 } }),
          aServer({ id: "s2", name: "billing", health: { state: "sign_in_needed", since: ago(0, now) } }),
          aServer({ id: "s3", name: "warehouse", health: { state: "unreachable", code: "unreachable", reason: { kind: "said", message: "" }, since: ago(0, now), retryAt: ago(-24_500, now) }, tasks: { needsYou: 0, working: 1, ended: 0 } }),
          aServer({ id: "s4", name: "taken", health: { state: "unusable", code: "not_trusted", reason: { kind: "said", message: "" } } }),
        ],
      }),
    });
    const rail = await screen.findByRole("navigation");
    expect(await within(rail).findByRole("button", { name: "Inbox, 4 open questions" })).toBeTruthy();
    expect(within(rail).getByRole("button", { name: "Tasks, 212 tasks under way" }).getAttribute("aria-current")).toBe("page");
    expect(screen.getByRole("button", { name: /answers.*ci/ })).toBeTruthy();
    expect(screen.getByRole("button", { name: "118 tasks of ci under way" })).toBeTruthy();
    const waits = screen.getByRole("button", { name: "confirm command: show taken" }).closest("li");
    expect(waits?.querySelector("svg")?.dataset["lamp"], "what waits for a person is amber, not red").toBe("needs_you");
    expect(waits?.textContent, "the name has the room").toBe("takenconfirm");
    expect(screen.getByRole("button", { name: "sign in: show billing" })).toBeTruthy();
    expect(screen.getByRole("button", { name: /unreachable, retry 0:2.*warehouse/ })).toBeTruthy();
  });

  it("leads from a server's numbers in the rail to what they count", async () => {
    const tasks = [aTask({ id: "t1", server: "s1", summary: "of ci" }), aTask({ id: "t2", server: "s2", summary: "of lab" })];
    const counts = { needsYou: 1, working: 1, ended: 0 };
    open({ tasks, overview: anOverview({ servers: [aServer({ tasks: counts }), aServer({ id: "s2", name: "lab" })] }) });
    await userEvent.click(await screen.findByRole("button", { name: "2 tasks of ci under way" }));
    expect(currentNav()).toMatchObject({ place: "tasks", only: { tasks: "s1", inbox: null } });
    await waitFor(() => expect(screen.queryByText("of lab")).toBeNull());
    expect(screen.getByText("of ci")).toBeTruthy();
    await userEvent.click(await screen.findByRole("button", { name: /^Only tasks of ci/ }));
    expect(currentNav().only.tasks).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "1 question of ci needs you" }));
    expect(currentNav()).toMatchObject({ place: "inbox", only: { tasks: null, inbox: "s1" } });
  });

  describe("at a press on a server in the rail", () => {
    const servers = [
      aServer({ tasks: { needsYou: 1, working: 1, ended: 0 } }),
      aServer({ id: "s2", name: "lab" }),
      aServer({ id: "s3", name: "billing", health: { state: "sign_in_needed", since: ago(0, Date.now()) } }),
    ];
    const tasks = [aTask({ id: "t1", summary: "task of ci" }), aTask({ id: "t2", server: "s2", serverName: "lab", summary: "task of lab" })];
    const questions = [aRequest({ message: "Question of ci" }), aRequest({ id: "r2", server: "s2", serverName: "lab", message: "Question of lab" })];

    function openWith() {
      const small = showing({ tasks, overview: anOverview({ inbox: 2, servers }) });
      const host = new FakeHost((view) => {
        if (view.type !== "inbox") return small(view);
        const rows = questions.filter(({ server }) => view.within === "" || view.within === `server:${server}`);
        return { type: "inbox", page: { ids: rows.map((row) => row.id), rows, total: rows.length, heads: [], complete: true } };
      });
      renderWith(host, <App />);
    }
    const press = async (name: RegExp) => userEvent.click(await within(await screen.findByRole("region", { name: "Servers" })).findByRole("button", { name }));
    const inList = (text: string) => within(screen.getByRole(currentNav().place === "inbox" ? "listbox" : "grid")).queryByText(text);

    it("lists its tasks", async () => {
      openWith();
      await screen.findByText("task of ci");
      await press(/lab$/);
      await waitFor(() => expect(inList("task of ci")).toBeNull());
      expect(inList("task of lab")).toBeTruthy();
      expect(currentNav()).toMatchObject({ place: "tasks", only: { tasks: "s2", inbox: null } });
      await press(/ci$/);
      await waitFor(() => expect(inList("task of ci"), "the other one's at the next press").toBeTruthy());
      expect(inList("task of lab")).toBeNull();
    });

    it("lists its questions where questions are listed", async () => {
      go("inbox");
      openWith();
      await waitFor(() => expect(inList("Question of ci")).toBeTruthy());
      await press(/lab$/);
      await waitFor(() => expect(inList("Question of ci")).toBeNull());
      expect(inList("Question of lab")).toBeTruthy();
      expect(currentNav()).toMatchObject({ place: "inbox", only: { tasks: null, inbox: "s2" } });
      expect(screen.getByRole("button", { name: "Inbox, 2 open questions" }), "the rail counts all").toBeTruthy();
      expect(screen.getByRole("tab", { name: /^Needs you/ }).textContent).toBe("Needs you2");
    });

    it("lists its tasks where nothing of a server is listed", async () => {
      go("settings");
      openWith();
      await press(/lab$/);
      expect(currentNav()).toMatchObject({ place: "tasks", only: { tasks: "s2" } });
    });

    it("selects it among the servers", async () => {
      go("servers");
      openWith();
      await press(/lab$/);
      expect(currentNav()).toMatchObject({ place: "servers", server: "s2", only: { tasks: null, inbox: null } });
    });

    it.each(["tasks", "inbox"] as const)("lists what is its own although something is wrong with it: %s", async (place) => {
      go(place);
      openWith();
      await press(/^billing$/);
      expect(currentNav()).toMatchObject({ place, only: { tasks: null, inbox: null, [place]: "s3" } });
    });

    it.each(["tasks", "inbox"] as const)("opens its page at a press on the word beside it, from %s", async (place) => {
      go(place);
      openWith();
      await press(/^sign in: show billing$/);
      expect(currentNav()).toMatchObject({ place: "servers", server: "s3", only: { tasks: null, inbox: null } });
      expect(await screen.findByRole("heading", { level: 1, name: "billing" })).toBeTruthy();
    });

    it("lists its questions at a press on how many need somebody, whatever was listed before", async () => {
      go("inbox");
      openWith();
      await press(/lab$/);
      await waitFor(() => expect(inList("Question of ci")).toBeNull());
      await press(/^1 question of ci needs you$/);
      await waitFor(() => expect(inList("Question of ci")).toBeTruthy());
      expect(inList("Question of lab")).toBeNull();
    });
  });

  it("goes by keys", async () => {
    open({});
    await screen.findByText("No tasks yet");
    await userEvent.keyboard("gi");
    expect(currentNav().place).toBe("inbox");
    await userEvent.keyboard("gt");
    expect(currentNav().place).toBe("tasks");
    await userEvent.keyboard("s");
    expect(currentNav().place).toBe("start");
  });

  it("lists all keys", async () => {
    open({});
    await screen.findByText("No tasks yet");
    await userEvent.keyboard("?");
    const help = await screen.findByRole("dialog", { name: "Keyboard" });
    expect(within(help).getByText("Next in the list")).toBeTruthy();
    expect(within(help).getByText("Pick or unpick").nextSibling?.textContent, "what a list understands itself").toBe("vSpace");
    expect(within(help).getByText("Pick or unpick up to the next").nextSibling?.textContent).toMatch(/^(Shift|⇧)↓(Shift|⇧)↑$/);
    expect(within(help).getByText("Search the list").nextSibling?.textContent).toMatch(/^\/.*F$/i);
  });

  it("says once that it is on screen, after the first view", async () => {
    const host = open({});
    expect(host.readied).toBe(0);
    await waitFor(() => expect(host.readied).toBe(1));
  });

  it("shows what it is asked to show when the wish grows, and nothing otherwise", async () => {
    const desk: SmallDesk = { tasks: [aTask({ id: "t3" })] };
    const host = open(desk);
    await screen.findByRole("grid");
    desk.wish = { type: "forward", wish: 1, item: { kind: "call", id: "t3" } };
    go("inbox");
    act(() => host.touch());
    await waitFor(() => expect(currentNav()).toMatchObject({ place: "tasks", task: "t3" }));
    go("inbox");
    act(() => host.touch());
    await waitFor(() => expect(currentNav().place, "the same wish again is no new one").toBe("inbox"));
  });

  it("has no toast that approves by itself: a press on one leads to the question, and says nothing to its server", async () => {
    const desk: SmallDesk = {};
    const host = open(desk);
    desk.wish = { type: "forward", wish: 1, item: { kind: "request", id: "r7" } };
    act(() => host.touch());
    await waitFor(() => expect(currentNav()).toMatchObject({ place: "inbox", request: "r7" }));
    const said = host.commands.filter(({ type }) => ["answer", "undo", "put_away", "begin_visit"].includes(type));
    expect([said, host.pages, host.opened]).toEqual([[], [], []]);
  });

  it("keeps showing what was last known when the desk does not answer, and says so", async () => {
    const host = open({ tasks: [aTask({ summary: "kept" })] });
    await screen.findByText("kept");
    act(() => host.fail({ code: "owner_gone", message: "gone", retry: "later" }));
    expect(await screen.findByText(/what was last known/)).toBeTruthy();
    expect(screen.getByText("kept")).toBeTruthy();
  });

  it("does not call it a trouble that nobody answers while the window hands over, unless that fails", async () => {
    const host = open({ tasks: [aTask({ summary: "kept" })] });
    await screen.findByText("kept");
    let fail: (error: DeskError) => void = () => undefined;
    host.closeWindow = () => new Promise((_, reject) => (fail = reject));
    act(() => host.requestClose({ live: 3, follower: "window", ending: 0, ends: [], unsure: false, held: 0, forgotten: [], unseen: false, quits: false }));
    await userEvent.click(await screen.findByRole("button", { name: "Keep following" }));
    act(() => host.fail({ code: "owner_gone", message: "gone", retry: "later" }));
    // What is offline shows once all that is due has run.
    await act(() => new Promise<void>((resolve) => setTimeout(resolve, 50)));
    expect(screen.queryByText(/what was last known/), "the person had it leave").toBeNull();
    act(() => fail(new DeskError({ code: "spawn_failed", message: "serve did not start", retry: "after_fix" })));
    expect(await screen.findByText(/what was last known/)).toBeTruthy();
  });

  it.each([
    ["storage_damaged", "never", /check the disk.* bring back a backup, or save what can still be read/],
    ["storage_denied", "never", /another data directory.* export, check and back them up/],
    ["storage_full", "after_fix", /Free some space/],
  ] as const)("says why nothing can be shown, and what to do, where the desk has never answered: %s", async (code, retry, advice) => {
    go("inbox");
    const host = new FakeHost(showing({ tasks: [] }));
    host.fail({ code, message: "signalbox.db: that is how it is", retry });
    renderWith(host, <App />);
    await screen.findByText("signalbox.db: that is how it is");
    expect(screen.getByText(advice)).toBeTruthy();
    expect(screen.queryByText(/what was last known/), "nothing was").toBeNull();
    expect(screen.queryByText("This is where servers reach you"), "they do not now").toBeNull();
    expect(screen.queryAllByRole("button", { name: /^Try/ })).toHaveLength(retry === "never" ? 0 : 1);
    expect(screen.getAllByRole("alert"), "it is said once").toHaveLength(1);
  });

  it("tells of troubles of its own", async () => {
    open({ overview: anOverview({ troubles: [{ code: "storage_full", message: "2 MB left on the disk." }] }) });
    expect(await screen.findByText("2 MB left on the disk.")).toBeTruthy();
    expect(screen.getByText("The disk is full.")).toBeTruthy();
  });

  it("tells in a sentence that notifications do not work, and in the system's words on demand", async () => {
    const raw = "org.freedesktop.DBus.Error.ServiceUnknown: nobody";
    open({ overview: anOverview({ troubles: [{ code: "notifications_failed", message: "no notification service is running", detail: raw }] }) });
    expect(await screen.findByText("No notification service is running.")).toBeTruthy();
    expect(document.body.textContent).not.toContain("DBus");
    await userEvent.click(screen.getByRole("button", { name: "Details" }));
    expect(screen.getByText(raw)).toBeTruthy();
  });

  it("leads from that trouble to where notifications are set, not to the top of the settings", async () => {
    open({ overview: anOverview({ troubles: [{ code: "notifications_failed", message: "no notification service is running" }] }) });
    const banner = (await screen.findByText("No notification service is running.")).closest("[role=status]");
    if (!(banner instanceof HTMLElement)) throw new Error("it is said in no banner");
    await userEvent.click(within(banner).getByRole("button", { name: "Settings" }));
    const section = (await screen.findByRole("heading", { level: 2, name: "Notifications" })).closest("section");
    await waitFor(() => expect(section?.contains(document.activeElement), "its section is long down the page").toBe(true));
  });

  it("lets a trouble be put away until it changes", async () => {
    const trouble = (detail: string) => anOverview({ troubles: [{ code: "notifications_failed", message: "no service", detail }] });
    const desk: SmallDesk = { overview: trouble("first") };
    const host = open(desk);
    const shown = () => screen.queryByText("Notifications do not work here.");
    const see = (overview: SmallDesk["overview"]) => {
      desk.overview = overview;
      act(() => host.touch());
    };
    await userEvent.click(await screen.findByRole("button", { name: "Hide this until it changes" }));
    expect(shown()).toBeNull();
    see({ ...trouble("first"), inbox: 1 });
    await screen.findByRole("button", { name: "Inbox, 1 open question" });
    expect(shown(), "the same is no news").toBeNull();
    see(trouble("second"));
    await waitFor(() => expect(shown()).toBeTruthy());
    await userEvent.click(screen.getByRole("button", { name: "Hide this until it changes" }));
    see(anOverview({ inbox: 2 }));
    await screen.findByRole("button", { name: "Inbox, 2 open questions" });
    see(trouble("second"));
    await waitFor(() => expect(shown(), "gone and back again is a change").toBeTruthy());
  });

  it("asks what closing means while tasks run: follow on, close, stay", async () => {
    const host = open({});
    await screen.findByText("No tasks yet");
    act(() => host.requestClose({ live: 3, follower: "window", ending: 0, ends: [], unsure: false, held: 0, forgotten: [], unseen: false, quits: false }));
    const dialog = await screen.findByRole("dialog", { name: "Close Signalbox?" });
    expect(dialog.textContent).toContain("3 tasks are not over");
    await userEvent.click(within(dialog).getByRole("button", { name: "Stay" }));
    expect(host.closed).toEqual([]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

    act(() => host.requestClose({ live: 3, follower: "window", ending: 0, ends: [], unsure: false, held: 0, forgotten: [], unseen: false, quits: false }));
    await userEvent.click(await screen.findByRole("button", { name: "Keep following" }));
    expect(host.closed).toEqual(["keep"]);
  });

  it("wears the colours of the settings", async () => {
    const overview = anOverview();
    const host = open({ overview: { ...overview, settings: { ...overview.settings, theme: "dark" } } });
    await waitFor(() => expect(document.documentElement.dataset["theme"]).toBe("dark"));
    expect(host.worn, "lists of selects are the system's").toBe("dark");
  });

  it("tells the desk what is in front", async () => {
    const host = open({ tasks: [aTask({ id: "t1" })] });
    await screen.findByRole("grid");
    Object.defineProperty(document, "hasFocus", { configurable: true, value: () => true });
    act(() => select({ task: "t1" }));
    await waitFor(() => expect(host.commands).toContainEqual({ type: "set_front", item: { kind: "call", id: "t1" } }));
  });
});
