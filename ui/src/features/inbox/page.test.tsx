import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { DeskError } from "../../host/error";
import { select } from "../../places/nav";
import { aTaskDetail, changed, type Change } from "../../test/samples";
import type { RequestDetail, RequestRow, UrlWarning } from "../../types";
import { open } from "./openInbox";
import { aDetail, aPage } from "./samples";

const url = aPage({ full: "https://user@signing.example.com:81/sign", before: "https://user@", after: ":81/sign" });
const at = "2026-11-21T10:00:00Z";

function ask(row: Partial<RequestRow> = {}, change: Change<RequestDetail> = {}, warnings: UrlWarning[] = []): RequestDetail {
  const detail = aDetail({ mode: "url", host: url.host, ...row }, { form: undefined, url: { ...url, warnings }, ...change });
  const ways = detail.ways.settled === undefined ? { ...detail.ways, accept: "page" as const } : detail.ways;
  return { ...detail, ways: { ...ways, ...change.ways } };
}

const button = (name: string | RegExp) => screen.findByRole("button", { name });

beforeEach(() => select({ request: "r1" }));

describe("a page to visit", () => {
  it("shows the whole address with its warnings, and nothing of it opens unasked", async () => {
    const { desk } = open([ask({}, {}, ["user_info", "odd_port"])]);
    const host = await screen.findByText(url.host, { selector: "strong" });
    expect(host.parentElement?.textContent).toBe(url.full);
    expect(screen.getByText("It names another port than the usual one")).toBeTruthy();
    expect(screen.queryByRole("link")).toBeNull();
    expect(desk.pages).toEqual([]);
  });

  it("says how its host reads and is sent, in which letters, and that the server's is another", async () => {
    const host = "xn--pypal-4ve.com";
    const known = { reads: "p\u0430ypal.com", scripts: ["Latin", "Cyrillic"], serverHost: "ci.example.com" };
    open([ask({ host }, { url: aPage({ full: `https://${host}/`, host, after: "/", ...known, warnings: ["punycode", "mixed_script"] }) })]);
    const facts = (await screen.findAllByRole("listitem")).map((item) => item.textContent);
    expect(facts, "the look-alike letter is marked").toContain("The host reads: p⟨0430⟩ypal.com");
    expect(facts).toContain(`It is sent as: ${host}`);
    expect(facts).toContain("Its letters are: Latin, Cyrillic");
    expect(facts).toContain(`Another host than the server's: ${host}, not ci.example.com`);
    expect(facts).toContain("The host mixes letters of several scripts in one name");
  });

  it("on this machine is named so, without alarm", async () => {
    const here = { full: "http://127.0.0.1:81/", before: "http://", host: "127.0.0.1", after: ":81/", loopback: true };
    open([ask({}, { url: aPage(here) })]);
    await screen.findByText("This page is on this machine");
    expect(screen.queryByText(/^Another host/), "a command has no host").toBeNull();
  });

  it("is opened by a press that says where it leads, and that is the consent", async () => {
    const { desk, user } = open([ask()]);
    await user.click(await button("Open at signing.example.com"));
    expect(desk.pages).toEqual(["r1"]);
    await screen.findByText(/^Opened in your browser/);
    await screen.findByText("accepted by you");
  });

  it("is opened by no plain key, and by none that is held", async () => {
    const { desk, user } = open([ask()]);
    const press = await button(/^Open at/);
    await user.keyboard("1{Control>}{Enter}{/Control}");
    press.focus();
    const held = fireEvent.keyDown(press, { key: "Enter", repeat: true });
    expect(held, "a held Enter presses nothing").toBe(false);
    expect(desk.pages).toEqual([]);
    await user.keyboard("{Enter}");
    expect(desk.pages).toEqual(["r1"]);
  });

  it("has nothing opened and nothing sent when the list is left with Enter", async () => {
    const { desk, user } = open([ask()]);
    await button(/^Open at/);
    await user.keyboard("{Enter}{Enter}");
    expect(desk.pages).toEqual([]);
  });

  it("can be accepted without opening it here", async () => {
    const { desk, user } = open([ask()]);
    await user.click(await button("Accept, I will open it elsewhere"));
    expect(desk.sent("answer")).toEqual([{ type: "answer", request: "r1", action: "accept", holdMs: 0, asks: ask().asks }]);
    expect(desk.pages).toEqual([]);
    await screen.findByText("You accepted and chose to open it elsewhere.");
  });

  it("that no browser opens sends nothing, and offers the address", async () => {
    const { desk, user } = open([ask()]);
    desk.visit = () => Promise.reject(new DeskError({ code: "browser_failed", message: "Nothing was sent.", retry: "later" }));
    await user.click(await button(/^Open at/));
    const trouble = await screen.findByRole("alert");
    expect(within(trouble).getByText("No browser could be started")).toBeTruthy();
    expect(desk.sent("answer")).toEqual([]);
    expect(within(trouble).getByText(/^Nothing was sent\. .* “Accept, I will open it elsewhere”/), "and the way on is named").toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Copy address" }));
    expect(desk.copied).toEqual([url.full]);
    expect(await button(/^Open at/), "and can be tried again").toHaveProperty("disabled", false);
  });

  it.each(["Accept, I will open it elsewhere", /^Decline/, /^Open at/])("and no browser opened it: %s is not said to have sent nothing", async (press) => {
    const { desk, user } = open([ask()]);
    const { visit } = desk;
    desk.visit = (request) => {
      // The desk keeps that it began, and puts that back where it failed.
      desk.change(request, (detail) => ({ ...detail, row: { ...detail.row, visitingAt: at } }));
      desk.change(request, (detail) => ({ ...detail, row: changed(detail.row, { visitingAt: undefined }) }));
      return Promise.reject(new DeskError({ code: "browser_failed", message: "none", retry: "after_fix" }));
    };
    await user.click(await button(/^Open at/));
    await screen.findByRole("alert");
    desk.visit = visit;
    await user.click(await button(press));
    await waitFor(() => expect(screen.queryByRole("button", { name: /^Dismiss/ })).toBeNull());
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
    const undo = screen.queryByRole("button", { name: /^Undo/ });
    if (undo === null) return;
    await user.click(undo);
    await button(/^Decline/);
    expect(screen.queryByRole("alert"), "it does not come back").toBeNull();
  });

  it("says of a long host how it ends, which tells whose it is", async () => {
    const host = `bank.example.com.${"a".repeat(60)}.evil.example`;
    open([ask({ host }, { url: aPage({ full: `https://${host}/`, host, after: "/" }) })]);
    expect((await button(/^Open at/)).textContent).toBe(`Open at …${host.slice(-60)}`);
  });

  it.each([
    ["malformed", "not a url"],
    ["not_web", "javascript:alert(1)"],
  ] as const)("that is no web address is not opened: %s", async (warning, full) => {
    const { desk, user } = open([ask({}, { url: aPage({ full, before: full, host: "", after: "", web: false, warnings: [warning] }) })]);
    const press = await button("Open the page");
    expect(press).toHaveProperty("disabled", true);
    await user.click(press);
    expect(desk.pages).toEqual([]);
    expect(screen.getByText("Signalbox does not open this address.")).toBeTruthy();
  });
});

describe("a page that is asked for again", () => {
  const times = ["2026-11-21T09:00:00Z", "2026-11-21T09:10:00Z", "2026-11-21T09:20:00Z"];
  const again = (n: number) => ask({}, { askedBefore: times.slice(0, n) });

  it("says how often, and when it was before", async () => {
    open([again(1)]);
    const said = await screen.findByText(/^This task has asked for a page at this host 2 times\./);
    expect(within(said).getByText(/\d/, { selector: "time" }).getAttribute("datetime")).toBe(times[0]);
    expect(screen.queryByRole("checkbox"), "once more is no loop yet").toBeNull();
    expect(await button(/^Open at/)).toHaveProperty("disabled", false);
  });

  it("says nothing of it the first time", async () => {
    open([again(0)]);
    await button(/^Open at/);
    expect(screen.queryByText(/has asked for a page/)).toBeNull();
  });

  it.each([/^Open at/, "Accept, I will open it elsewhere"])("from the third time on takes a press of its own before %s", async (name) => {
    const { desk, user } = open([again(2)]);
    const press = await button(name);
    await user.click(press);
    expect([desk.pages, desk.sent("answer")], "nothing goes by one press").toEqual([[], []]);
    await user.click(screen.getByRole("checkbox", { name: "I know that it has asked 3 times, and want to accept" }));
    await user.click(press);
    await waitFor(() => expect(desk.pages.length + desk.sent("answer").length).toBeGreaterThan(0));
  });

  it("is declined like any other", async () => {
    const { desk, user } = open([again(3)]);
    await user.click(await button(/^Decline/));
    await waitFor(() => expect(desk.sent("answer").map(({ action }) => action)).toEqual(["decline"]));
  });
});

describe("several pages of one sheet", () => {
  const round = { n: 1, requests: ["r1", "r2"], undecided: ["r1", "r2"], paged: false };
  const pages = () =>
    ["r1", "r2"].map((id, n) => ask({ id, message: `Sign part ${n + 1}` }, { round, identity: { kind: "round", call: "t1", n: 1, key: id } }));

  it("are opened each on its own, while the desk's reply to one of them waits", async () => {
    const { desk, user } = open(pages());
    const { visit } = desk;
    desk.visit = async (request, asks) => {
      await visit(request, asks);
      return new Promise<never>(() => undefined);
    };
    await user.click(await button("Open at signing.example.com"));
    await screen.findByText(/^Opened in your browser/);
    expect(await button("Open again"), "it is seen that the first was opened").toHaveProperty("disabled", false);
    act(() => select({ request: "r2" }));
    const second = await button("Open at signing.example.com");
    expect(second).toHaveProperty("disabled", false);
    await user.click(second);
    expect(desk.pages).toEqual(["r1", "r2"]);
  });

  it("are held back each on its own, while it is being opened", async () => {
    const { desk, user } = open(pages());
    desk.visit = () => new Promise<never>(() => undefined);
    await user.click(await button("Open at signing.example.com"));
    expect(await button("Open at signing.example.com")).toHaveProperty("disabled", true);
    act(() => select({ request: "r2" }));
    await waitFor(async () => expect(await button("Open at signing.example.com")).toHaveProperty("disabled", false));
    act(() => select({ request: "r1" }));
    await waitFor(async () => expect(await button("Open at signing.example.com")).toHaveProperty("disabled", true));
  });
});

describe("after the visit", () => {
  const answer = { action: "accept", decidedAt: at, sendAt: at, sentAt: at, acknowledgedAt: at } as const;
  const visited = () => ask({ state: "answered", closedAt: at, visitedAt: at, answer });

  it("one looks again, opens it again, or cancels the task, as also after a restart", async () => {
    const { desk, user } = open([visited()]);
    desk.tasks.set("t1", aTaskDetail({ id: "t1" }));
    desk.touch();
    await user.click(await button("I finished"));
    expect(desk.sent("refresh")).toEqual([{ type: "refresh", call: "t1" }]);
    await screen.findByText(/^Asked the server again/);
    await user.click(await button("Open again"));
    expect(desk.pages).toEqual(["r1"]);
    await user.click(await button("Cancel the task…"));
    expect(desk.sent("cancel"), "it asks first").toEqual([]);
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel the task" }));
    expect(desk.sent("cancel")).toEqual([{ type: "cancel", call: "t1" }]);
  });

  it("cancelling is done with when it is kept for a server that is away", async () => {
    const { desk, user } = open([visited()]);
    desk.tasks.set("t1", aTaskDetail({ id: "t1" }));
    desk.touch();
    await user.click(await button("Cancel the task…"));
    desk.act = () => Promise.reject(new DeskError({ code: "unreachable", message: "It is kept.", retry: "queued" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel the task" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("a very long address is shown by its beginning and its host, and whole on demand", async () => {
    const long = (letter: string) => letter.repeat(50_000);
    const [before, after] = [`https://${long("u")}@`, `/${long("p")}`];
    const { user } = open([ask({ host: "evil.example" }, { url: aPage({ full: `${before}evil.example${after}`, before, host: "evil.example", after }) })]);
    const host = await screen.findByText("evil.example", { selector: "strong" });
    const shown = () => host.closest("section")?.textContent ?? "";
    expect(shown().length, "a server must not hold the window up").toBeLessThan(3_000);
    await user.click(screen.getByRole("button", { name: /^Show all 100,0\d\d characters/ }));
    expect(shown()).toContain(`${before}evil.example${after}`);
  });

  it("nothing is left to do once the task has ended; the receipt has the address", async () => {
    const { desk } = open([visited()]);
    desk.tasks.set("t1", aTaskDetail({ id: "t1", outcome: "ok", group: "ended" }));
    await screen.findByRole("heading", { name: "Receipt" });
    await screen.findByText("Nothing else needs you");
    expect(screen.queryByRole("button", { name: "Open again" })).toBeNull();
    const address = screen.getAllByRole("term").find((term) => term.textContent === "Address");
    expect(address?.nextElementSibling?.textContent).toBe(url.full);
    const host = screen.getAllByRole("term").find((term) => term.textContent === "Host agreed to");
    expect(host?.nextElementSibling?.textContent).toBe(url.host);
    const openedAt = screen.getAllByRole("term").find((term) => term.textContent === "Opened");
    expect(openedAt?.nextElementSibling?.querySelector("time")?.getAttribute("datetime")).toBe(at);
  });

  it("the receipt says how the host read, and that Signalbox did not open it", async () => {
    const imitates = aPage({ host: "xn--pypal-4ve.com", reads: "p\u0430ypal.com" });
    const { desk } = open([ask({ state: "answered", closedAt: at, answer }, { url: imitates })]);
    desk.tasks.set("t1", aTaskDetail({ id: "t1", outcome: "ok", group: "ended" }));
    await screen.findByRole("heading", { name: "Receipt" });
    const fact = (name: string) => screen.getAllByRole("term").find((term) => term.textContent === name)?.nextElementSibling?.textContent;
    expect(fact("Host agreed to")).toBe("xn--pypal-4ve.com, which reads p⟨0430⟩ypal.com");
    expect(fact("Opened")).toBe("not by Signalbox");
  });

  it("before a call, “I finished” makes the call again", async () => {
    const round = { n: 1, requests: ["r1"], undecided: ["r1"], paged: true };
    const identity = { kind: "round", call: "t1", n: 1, key: "p" } as const;
    const { desk, user } = open([ask({}, { round, identity })]);
    await user.click(await button(/^Open at/));
    expect(desk.sent("answer"), "nothing goes out with the visit").toEqual([]);
    await user.click(await button("I finished"));
    await waitFor(() => expect(desk.sent("answer")).toEqual([{ type: "answer", request: "r1", action: "accept", holdMs: 0, asks: ask().asks }]));
  });

  it("before a call, giving it up sends nothing, and says so", async () => {
    const round = { n: 1, requests: ["r1"], undecided: ["r1"], paged: true };
    const identity = { kind: "round", call: "t1", n: 1, key: "p" } as const;
    const { desk, user } = open([ask({ visitedAt: at }, { round, identity })]);
    await user.click(await button("Give up the call…"));
    const dialog = await screen.findByRole("dialog", { name: "Give up the call?" });
    expect(dialog.textContent).toContain("Nothing is sent to the server.");
    await waitFor(() => expect(document.activeElement?.textContent, "Enter keeps it").toBe("Keep it going"));
    await user.click(within(dialog).getByRole("button", { name: "Give up the call" }));
    expect(desk.sent("cancel")).toEqual([{ type: "cancel", call: "t1" }]);
    const closed = ask({ visitedAt: at, state: "closed", reason: "task_ended", closedAt: at }, { round, identity });
    act(() => desk.change("r1", () => closed));
    await screen.findByText(/^The call was given up before it was made again\. Nothing more was sent to the server\.$/);
    expect(screen.queryByText(/task ended before/)).toBeNull();
  });

  it("cancels a call that no task was made of as what it is", async () => {
    const { desk, user } = open([visited()]);
    desk.tasks.set("t1", aTaskDetail({ id: "t1", hasTask: false }));
    desk.touch();
    await user.click(await button("Cancel the call…"));
    expect((await screen.findByRole("dialog")).textContent).toContain("stops waiting for the answer");
  });

  it("a visit of which nobody saw the end is told as what it is", async () => {
    open([ask({ visitingAt: at })]);
    await screen.findByText(/^Signalbox began to open it at .*, but does not know whether the page opened\. The server has not been told\./);
    expect(screen.queryByText(/Opened in your browser/), "nobody knows that").toBeNull();
    await screen.findByText(/page may be open/);
    await button("I finished");
    await button("Open again");
    await button(/^Decline/);
  });

  it("a visit that was seen is told as what it is, and no more", async () => {
    open([ask({ visitedAt: at })]);
    await screen.findByText(/^Opened in your browser/);
    expect(screen.queryByText(/has not been told|is not known/)).toBeNull();
    await button("I finished");
    await button("Open again");
  });

  it("one that was opened again, of which nobody saw the end, says both, and nothing of what the server knows", async () => {
    const { desk } = open([ask({ ...visited().row, visitingAt: at })]);
    await screen.findByText(/^Opened in your browser .* Signalbox began to open it at .*, but does not know whether the page opened\.\s*$/);
    const began = screen.getAllByRole("term").find((term) => term.textContent === "Opening began");
    expect(began?.nextElementSibling?.textContent).toMatch(/not known whether the page opened$/);
    expect(desk.pages).toEqual([]);
  });

  it("an opening that is under way changes no button, and is said to be one", async () => {
    const { desk, user } = open([ask()]);
    let end = () => {};
    desk.visit = (request) => {
      desk.change(request, (detail) => ({ ...detail, row: { ...detail.row, visitingAt: at } }));
      return new Promise((resolve) => (end = resolve));
    };
    await user.click(await button(/^Open at/));
    await screen.findByText("Your browser is being started.");
    await screen.findByText(/page may be open/);
    expect(await button(/^Open at/)).toHaveProperty("disabled", true);
    expect(screen.queryByText(/does not know whether the page opened/), "it has not ended").toBeNull();
    end();
    await screen.findByText(/does not know whether the page opened/);
    await button("Open again");
  });
});
