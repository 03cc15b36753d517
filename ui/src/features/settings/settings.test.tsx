import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import { DeskError } from "../../host/error";
import { useView } from "../../store/useView";
import { currentNav } from "../../places/nav";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, aServer, wholly } from "../../test/samples";
import { t } from "../../strings";
import type { ApiError, Command, Overview, OwnerKind, PastNotice, Reply, Settings } from "../../types";
import { CloseDialog } from "../close/CloseDialog";
import { passStep, resetGuide } from "../first/guide";
import { SettingsPlace } from "./SettingsPlace";

const DEFAULTS = anOverview().settings;

/** A desk that keeps settings. It refuses what `refusals` has an error for. */
class SettingsDesk extends FakeHost {
  readonly refusals = new Map<Command["type"], ApiError>();
  /** Nothing is answered before it. */
  gate: Promise<unknown> = Promise.resolve();
  past: PastNotice[] = [];

  constructor(public overview: Overview = anOverview()) {
    super(
      (view) => (view.type === "notices" ? { type: "notices", past: this.past } : wholly(this.overview)),
      async (command) => {
        await this.gate;
        const refusal = this.refusals.get(command.type);
        if (refusal) throw new DeskError(refusal);
        if (command.type === "set_settings") this.set(command.settings);
        if (command.type === "pause_notifications") {
          const { notificationsPausedUntil: _, ...overview } = this.overview;
          this.becomes({ ...overview, ...(command.until !== undefined && { notificationsPausedUntil: command.until }) });
        }
        if (command.type === "test_notification") return this.tested;
        if (command.type === "secrets") return { type: "secrets", secrets: { place: "keychain", state: "open" } };
        return command.type === "diagnostics" ? { type: "text", text: "signalbox 0.1.0\nservers: 2" } : { type: "done" };
      },
    );
  }

  tested: Extract<Reply, { type: "notification_tested" }> = { type: "notification_tested", service: "gnome-shell", version: "47", actions: true, inhibited: false };

  set(settings: Settings): void {
    this.becomes({ ...this.overview, settings });
  }

  private becomes(overview: Overview): void {
    this.overview = overview;
    setTimeout(() => this.touch());
  }

  get saved(): Settings[] {
    return this.commands.flatMap((command) => (command.type === "set_settings" ? [command.settings] : []));
  }
}

function Window() {
  return <SettingsPlace overview={useView({ type: "overview" }).data} />;
}

async function opened(desk = new SettingsDesk()) {
  renderWith(desk, <Window />);
  await screen.findByRole("region", { name: "Settings" });
  return { desk, user: userEvent.setup({ delay: null }) };
}

const field = (name: string) => screen.getByLabelText(name);
const button = (name: string) => screen.getByRole("button", { name });
const FLOOR = "Shortest time between two polls of a task";
const UNDO = "Time to undo an answer";

beforeEach(() => {
  delete document.documentElement.dataset["theme"];
});

describe("settings", () => {
  it.each([
    [FLOOR, "2.5", { pollFloorMs: 2_500 }],
    [FLOOR, "0,5", { pollFloorMs: 500 }],
    ["Maximum polls per server", "50", { pollsPerSecond: 50 }],
    [UNDO, "0", { undoMs: 0 }],
    ["Largest message accepted from a server", "16", { messageLimit: 16_777_216 }],
    ["How long ended tasks are kept", "0", { keepDays: 0 }],
    ["Maximum space for results", "512", { keepMib: 512 }],
  ])("%s: %s is saved as %j among all the others", async (name, typed, change) => {
    const { desk, user } = await opened();
    await user.clear(field(name));
    await user.type(field(name), `${typed}{Enter}`);
    await screen.findByText("Saved");
    expect(desk.saved).toEqual([{ ...DEFAULTS, ...change }]);
  });

  it.each(["Colours", FLOOR])("are left by Escape in %s, so that plain keys go to places again", async (name) => {
    const { user } = await opened();
    field(name).focus();
    await user.keyboard("{Escape}");
    expect(document.activeElement).toBe(screen.getByRole("region", { name: "Settings" }));
  });

  it("does not take very little for no limit", async () => {
    const { desk, user } = await opened();
    await user.clear(field("Maximum polls per server"));
    await user.type(field("Maximum polls per server"), "0.4{Enter}");
    expect((await screen.findByRole("alert")).textContent).toContain("too small");
    expect(desk.saved).toEqual([]);
  });

  it("saves a number when its field is left, and once only", async () => {
    const { desk, user } = await opened();
    await user.clear(field(UNDO));
    await user.type(field(UNDO), "8");
    expect(desk.saved, "not while typing").toEqual([]);
    await user.tab();
    await screen.findByText("Saved");
    await user.click(field(UNDO));
    await user.tab();
    expect(desk.saved).toEqual([{ ...DEFAULTS, undoMs: 8_000 }]);
  });

  it("builds each change on the one before, even while that is on its way", async () => {
    const { desk, user } = await opened();
    let open = () => {};
    desk.gate = new Promise<void>((resolve) => (open = resolve));
    await user.selectOptions(field("What the log keeps"), "debug");
    const contents = () => screen.getByRole("checkbox", { name: "Show the question, or the result of the task, in a notification" });
    await user.click(contents());
    expect(desk.saved, "one after the other").toEqual([{ ...DEFAULTS, logLevel: "debug" }]);
    expect(field("What the log keeps"), "what was chosen shows at once").toHaveProperty("value", "debug");
    expect(contents()).toHaveProperty("checked", false);
    open();
    await waitFor(() => expect(desk.saved).toHaveLength(2));
    expect(desk.saved.at(-1)).toEqual({ ...DEFAULTS, logLevel: "debug", notifications: { ...DEFAULTS.notifications, contents: false } });
  });

  it("keeps what was typed when the desk refuses it, beside the reason", async () => {
    const desk = new SettingsDesk();
    desk.refusals.set("set_settings", { code: "usage", message: "The undo window is at most a minute", retry: "never" });
    const { user } = await opened(desk);
    await user.clear(field(UNDO));
    await user.type(field(UNDO), "90{Enter}");
    expect((await screen.findByRole("alert")).textContent).toBe("The undo window is at most a minute");
    expect(field(UNDO)).toHaveProperty("value", "90");
    desk.refusals.clear();
    await user.clear(field(UNDO));
    await user.type(field(UNDO), "30{Enter}");
    await screen.findByText("Saved");
    expect(desk.saved.at(-1)).toEqual({ ...DEFAULTS, undoMs: 30_000 });
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it.each(["", "soon", "-1", "1e3", "99999999999"])("sends no %j, and keeps it as typed", async (typed) => {
    const { desk, user } = await opened();
    await user.clear(field(UNDO));
    if (typed) await user.type(field(UNDO), typed);
    await user.tab();
    expect(await screen.findByRole("alert")).toBeTruthy();
    expect(field(UNDO)).toHaveProperty("value", typed);
    expect(desk.saved).toEqual([]);
  });

  it("shows what is changed elsewhere, such as by another window", async () => {
    const { desk } = await opened();
    desk.set({ ...DEFAULTS, undoMs: 12_000, logLevel: "warn" });
    await waitFor(() => expect(field(UNDO)).toHaveProperty("value", "12"));
    expect(field("What the log keeps")).toHaveProperty("value", "warn");
  });

  it("wears the chosen colours at once, and takes them off when they are not kept", async () => {
    const desk = new SettingsDesk();
    const { user } = await opened(desk);
    const worn = () => document.documentElement.dataset["theme"];
    desk.refusals.set("set_settings", { code: "storage_full", message: "No space is left", retry: "after_fix" });
    await user.selectOptions(field("Colours"), "light");
    expect((await screen.findByRole("alert")).textContent).toBe("No space is left");
    expect(worn()).toBeUndefined();
    expect(field("Colours")).toHaveProperty("value", "system");
    desk.refusals.clear();
    await user.selectOptions(field("Colours"), "dark");
    expect(worn()).toBe("dark");
    await waitFor(() => expect(desk.saved.at(-1)).toEqual({ ...DEFAULTS, theme: "dark" }));
  });
});

describe("a contrast", () => {
  it("that cannot be saved says so, as any other setting does, and holds until the window closes", async () => {
    const desk = new SettingsDesk();
    const { user } = await opened(desk);
    const worn = () => document.documentElement.dataset["contrast"];
    desk.refusals.set("set_preference", { code: "storage_full", message: "No space is left", retry: "after_fix" });
    await user.selectOptions(field("Contrast"), "more");
    expect((await screen.findByRole("alert")).textContent).toBe("No space is left");
    expect([worn(), field("Contrast")]).toMatchObject(["more", { value: "more" }]);
    desk.refusals.clear();
    await user.selectOptions(field("Contrast"), "system");
    await screen.findByText("Saved");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(worn()).toBeUndefined();
  });
});

describe("notifications", () => {
  const saved = (desk: SettingsDesk) => desk.saved.at(-1)?.notifications;

  it("are tried, and it is said who took the test and what to do where nobody did", async () => {
    const desk = new SettingsDesk();
    const { user } = await opened(desk);
    await user.click(button("Show a test notification"));
    const says = (words: RegExp) => waitFor(() => expect(screen.getAllByRole("status").map(({ textContent }) => textContent)).toContainEqual(expect.stringMatching(words)));
    await says(/^Sent to gnome-shell 47\. If nothing appeared/);
    expect(desk.commands.filter(({ type }) => type === "test_notification")).toEqual([{ type: "test_notification" }]);
    desk.tested = { type: "notification_tested", service: "plasma", actions: false, inhibited: true };
    await user.click(button("Show a test notification"));
    await says(/^Sent to plasma\. It says that it shows none now \(do not disturb\)\..*no buttons\.$/);
    desk.refusals.set("test_notification", { code: "notifications_failed", message: "No service answers", retry: "after_fix" });
    await user.click(button("Show a test notification"));
    expect((await screen.findByRole("alert")).textContent).toContain("No service answers");
    expect(screen.queryByText(/^Sent to/)).toBeNull();
    expect(screen.getByText(/^Start a notification service/)).toBeTruthy();
    desk.refusals.set("test_notification", { code: "needs_owner", message: "A command owns the data directory", retry: "after_fix" });
    await user.click(button("Show a test notification"));
    await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("A command owns the data directory"));
    expect(screen.queryByText(/^Start a notification service/), "none is missing").toBeNull();
  });

  it("tell what is chosen, of all and of a server that has a level of its own", async () => {
    const settings = { ...DEFAULTS, notifications: { level: "everything", rules: [{ server: "s1", level: "nothing" }, { server: "s9", level: "nothing" }], contents: true } } satisfies Settings;
    const { desk, user } = await opened(new SettingsDesk(anOverview({ servers: [aServer({ name: "ci" })], settings })));
    await user.selectOptions(field("Notify me about"), "needs_me");
    await waitFor(() => expect(saved(desk)?.level).toBe("needs_me"));
    const of = await screen.findByLabelText<HTMLSelectElement>("About ci");
    expect([of.value, of.options[0]?.text]).toEqual(["nothing", "Same as all: What needs me"]);
    await user.selectOptions(of, "above");
    await waitFor(() => expect(saved(desk)?.rules, "its own level is gone, another one's stays").toEqual([{ server: "s9", level: "nothing" }]));
    await waitFor(() => expect(screen.queryByLabelText("About ci")).toBeNull());
  });

  it("have quiet hours, and contents where somebody wants them", async () => {
    const { desk, user } = await opened();
    const hint = screen.getByText(/^During these hours/).textContent;
    expect(hint).toContain("Questions that still wait are told afterwards, in one notification.");
    expect(hint, "the list alone tells of ends").toContain("Ended tasks are not");
    await user.click(field("Hold notifications back"));
    await waitFor(() => expect(saved(desk)?.quiet).toEqual({ from: "22:00", to: "07:00" }));
    for (const end of ["Quiet from", "Quiet to"]) expect(field(end).className, "no wider than a time").toMatch(/time/);
    fireEvent.change(await screen.findByLabelText("Quiet to"), { target: { value: "08:30" } });
    await waitFor(() => expect(saved(desk)?.quiet).toEqual({ from: "22:00", to: "08:30" }));
    await user.click(field("Hold notifications back"));
    await waitFor(() => expect(saved(desk)).not.toHaveProperty("quiet"));
    await user.click(field("Show the question, or the result of the task, in a notification"));
    await waitFor(() => expect(saved(desk)?.contents).toBe(false));
  });

  it("are paused, and go on", async () => {
    const { desk, user } = await opened();
    const before = Date.now();
    await user.click(button("Pause for 1 hour"));
    const paused = desk.commands.flatMap((command) => (command.type === "pause_notifications" ? [command.until ?? ""] : []));
    expect(Date.parse(paused[0] ?? "") - before).toBeGreaterThanOrEqual(3_600_000 - 1_000);
    await user.click(await screen.findByRole("button", { name: "Resume now" }));
    await waitFor(() => expect(desk.commands.at(-1)).toEqual({ type: "pause_notifications" }));
  });

  it("say what became of the last ones, each with a way to it", async () => {
    const desk = new SettingsDesk();
    desk.past = [
      { at: "2026-11-28T09:00:00.000Z", items: [{ kind: "request", id: "r3" }], asOne: false, title: "ci · deploy needs you", fate: "quiet_hours" },
      { at: "2026-11-28T08:00:00.000Z", items: [{ kind: "call", id: "t1" }], asOne: false, title: "ci · deploy is done", fate: "shown" },
      { at: "2026-11-28T07:30:00.000Z", items: [{ kind: "call", id: "t2" }], asOne: false, title: "ci · build is done", fate: "inhibited" },
      { at: "2026-11-28T07:15:00.000Z", items: [{ kind: "call", id: "t3" }], asOne: false, title: "ci · test is done", fate: "failed" },
      { at: "2026-11-28T07:00:00.000Z", items: [{ kind: "request", id: "r1" }, { kind: "request", id: "r2" }, { kind: "call", id: "t9" }], asOne: true, title: "2 questions need you, 1 task ended", fate: "shown" },
    ];
    const { user } = await opened(desk);
    const past = within(await screen.findByRole("region", { name: "Recent notifications" }));
    expect(past.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      expect.stringContaining("held back: quiet hours"),
      expect.not.stringContaining("as one"),
      expect.stringContaining("sent, but the notification service showed none then (do not disturb)"),
      // It may never have come as far as a desktop.
      expect.stringContaining("could not be shown"),
      expect.stringContaining("shown, combined into one"),
    ]);
    await user.click(past.getByRole("button", { name: "ci · deploy needs you" }));
    expect(currentNav()).toMatchObject({ place: "inbox", request: "r3" });
    await user.click(past.getByRole("button", { name: "2 questions need you, 1 task ended" }));
    expect(currentNav(), "the last question of them").toMatchObject({ place: "inbox", request: "r2" });
  });

  it("show their trouble with their setting, and troubles of the data with the data", async () => {
    await opened(
      new SettingsDesk(
        anOverview({
          troubles: [
            { code: "notifications_failed", message: "No service on the bus" },
            { code: "storage_full", message: "0 bytes free" },
          ],
        }),
      ),
    );
    const settings = within(screen.getByRole("region", { name: "Settings" }));
    const about = within(screen.getByRole("region", { name: "This Signalbox" }));
    expect(settings.getByText("No service on the bus.")).toBeTruthy();
    expect(settings.queryByText("0 bytes free.")).toBeNull();
    expect(about.getByText("0 bytes free.")).toBeTruthy();
    expect(about.queryByText("No service on the bus.")).toBeNull();
  });
});

describe("going on in the background", () => {
  const GOES_ON = "Go on in the background when the window closes";
  const ITSELF = "the window itself follows your tasks";

  function deskOf(kind: OwnerKind, outlives = false, background = true) {
    const desk = new SettingsDesk();
    desk.overview.owner = { ...desk.overview.owner, kind };
    desk.overview.settings = { ...DEFAULTS, background };
    desk.outlives = outlives;
    return desk;
  }
  const described = () => {
    const ids = field(GOES_ON).getAttribute("aria-describedby") ?? "";
    return ids.split(" ").map((id) => document.getElementById(id)?.textContent).join(" ");
  };

  it("is said not to be so where it is chosen and the window owns the data all the same, for as long as it does", async () => {
    const desk = deskOf("window");
    await opened(desk);
    await waitFor(() => expect(described()).toContain(ITSELF));
    expect(described(), "and what closing means then").toContain("Closing it asks when something would stop.");
    desk.overview = { ...desk.overview, owner: { ...desk.overview.owner, kind: "serve" } };
    act(() => desk.touch());
    await waitFor(() => expect(described(), "a background program has come").not.toContain(ITSELF));
  });

  it.each([
    ["serve follows the tasks", "serve", false, true, "with or without this window."],
    ["a command does, and nobody knows who comes after it", "command", false, true, "takes over when that command ends"],
    ["the window's program outlives it", "window", true, true, "until you quit."],
    ["it is not chosen", "window", false, false, "you are asked first."],
  ] as const)("is told as it is chosen where %s", async (_, kind, outlives, background, means) => {
    await opened(deskOf(kind, outlives, background));
    // Whether the program outlives its window is known by then.
    await within(screen.getByRole("region", { name: "This Signalbox" })).findByText(means, { exact: false });
    expect(described()).not.toContain(ITSELF);
    expect(described()).toContain("On Linux this needs a tray");
  });

  it("is said not to be so yet where it is chosen just now", async () => {
    const { user } = await opened(deskOf("window", false, false));
    await user.click(field(GOES_ON));
    await waitFor(() => expect(described()).toContain(ITSELF));
    await user.click(field(GOES_ON));
    await waitFor(() => expect(described()).not.toContain(ITSELF));
  });
});

describe("how somebody answers", () => {
  it("is with the next question by itself and a review, until something else is chosen", async () => {
    const { desk, user } = await opened();
    const next = await screen.findByLabelText<HTMLInputElement>("Show the next question after an answer or a snooze");
    await waitFor(() => expect(next.disabled, "nothing can be changed before it is known").toBe(false));
    const unreviewed = screen.getByLabelText<HTMLInputElement>("Send a yes or no without a review");
    expect([next.checked, unreviewed.checked]).toEqual([true, false]);
    await user.click(next);
    await user.click(unreviewed);
    expect([next.checked, unreviewed.checked]).toEqual([false, true]);
    const kept = desk.commands.flatMap((command) => (command.type === "set_preference" ? [[command.key, command.value]] : []));
    expect(kept.at(-1)).toEqual(["inbox.manner", '{"next":false,"unreviewed":true}']);
  });
});

describe("what is said about this Signalbox", () => {
  it.each([
    ["window", "this window", "you are asked first."],
    ["serve", "signalbox serve", "with or without this window"],
    ["command", "a signalbox command", "takes over when that command ends"],
  ] as const)("names the owner %s and what that means", async (kind, words, means) => {
    const owner = { kind, pid: 812, version: "0.1.0", home: "/home/someone/signalbox", logs: "/home/someone/state/logs" };
    await opened(new SettingsDesk(anOverview({ owner })));
    await screen.findByText(means, { exact: false });
    const text = screen.getByRole("region", { name: "This Signalbox" }).textContent;
    for (const part of [words, means, "812", "0.1.0", "/home/someone/signalbox", "/home/someone/state/logs"]) expect(text).toContain(part);
  });

  it.each([
    [true, "with or without this window, until you quit"],
    [false, "you are asked first."],
  ])("says what follows the tasks where the program can outlive its window, and is to: %s", async (background, means) => {
    const desk = new SettingsDesk();
    desk.overview.settings = { ...desk.overview.settings, background };
    desk.outlives = true;
    await opened(desk);
    expect(await screen.findByText(means, { exact: false })).toBeTruthy();
  });

  it.each([
    ["asked", "with safe graphics, as asked"],
    ["failed", "its page failed before it showed anything"],
  ] as const)("says that the window has safe graphics, %s", async (why, words) => {
    const desk = new SettingsDesk();
    desk.graphics = why;
    await opened(desk);
    expect(await screen.findByText(words, { exact: false })).toBeTruthy();
  });

  it("says nothing of graphics that are as usual", async () => {
    await opened();
    expect(screen.queryByText("safe graphics", { exact: false })).toBeNull();
  });

  it("ends Signalbox by the same way as the key, which asks where something stops", async () => {
    const desk = new SettingsDesk();
    renderWith(
      desk,
      <>
        <Window />
        <CloseDialog />
      </>,
    );
    const quit = await screen.findByRole("button", { name: /^Quit Signalbox/ });
    expect(quit.closest("section")?.querySelector("h2")?.textContent, "beside what goes on in the background").toBe("Following tasks");
    expect(document.getElementById(quit.getAttribute("aria-describedby") ?? "")?.textContent).toContain("asked first");
    await userEvent.setup().click(quit);
    expect(desk.quits).toBe(1);
    act(() => desk.requestClose({ live: 1, follower: "serve", ending: 0, ends: [], unsure: false, held: 0, forgotten: [], unseen: false, quits: true }));
    expect(await screen.findByRole("dialog", { name: "Quit Signalbox?" })).toBeTruthy();
  });

  it("copies diagnostics, and shows what was copied", async () => {
    const { desk, user } = await opened();
    await user.click(button("Copy diagnostics"));
    await screen.findByText("Copied. This is what the clipboard holds:");
    expect(desk.copied).toEqual(["signalbox 0.1.0\nservers: 2"]);
    expect(screen.getByText(/servers: 2/)).toBeTruthy();
  });

  it("gives diagnostics to copy by hand where the clipboard refuses", async () => {
    const desk = new SettingsDesk();
    desk.copy = () => Promise.reject(new Error("denied"));
    const { user } = await opened(desk);
    await user.click(button("Copy diagnostics"));
    await screen.findByText("It could not be copied. Copy it from here:");
    expect(screen.getByText(/servers: 2/)).toBeTruthy();
  });

  it("says why there are no diagnostics", async () => {
    const desk = new SettingsDesk();
    desk.refusals.set("diagnostics", { code: "owner_gone", message: "The owner went away", retry: "later" });
    const { user } = await opened(desk);
    await user.click(button("Copy diagnostics"));
    expect((await screen.findByRole("alert")).textContent).toContain("The owner went away");
    expect(desk.copied).toEqual([]);
  });

  describe("in the guide's last note", () => {
    async function lastNote(kind: OwnerKind, outlives: boolean, background = true) {
      resetGuide();
      const desk = new SettingsDesk(anOverview({ servers: [aServer({ demo: true })] }));
      desk.overview.owner = { ...desk.overview.owner, kind, home: "/srv/my desk" };
      desk.overview.settings = { ...desk.overview.settings, background };
      desk.outlives = outlives;
      passStep("result");
      passStep("notification");
      await opened(desk);
      return within(await screen.findByRole("complementary", { name: "Guide" }));
    }
    const command = "signalbox serve --home '/srv/my desk'";

    it.each([
      ["the window does", "window", false, true],
      ["the window does, as its person wants", "window", true, false],
      ["a command does for now", "command", false, true],
    ] as const)("names its data directory in the command that follows the tasks, where %s", async (_, kind, outlives, background) => {
      const note = await lastNote(kind, outlives, background);
      expect(note.getByText(command)).toBeTruthy();
      expect(note.getByText(`“${t.app.closing.keepFollowing}” where closing`, { exact: false }), "the button that does the same in one press").toBeTruthy();
      expect(note.queryByText("stops nothing", { exact: false }), "closing stops following").toBeNull();
    });

    it.each([
      ["serve does", "serve", false],
      ["the window's program goes on", "window", true],
      ["that program takes over from a command", "command", true],
    ] as const)("names no command, which would be refused, where %s", async (_, kind, outlives) => {
      const note = await lastNote(kind, outlives);
      expect(note.getByText("Closing this window stops nothing.", { exact: false })).toBeTruthy();
      expect(note.queryByText(command)).toBeNull();
    });
  });
});
