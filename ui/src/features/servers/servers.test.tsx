import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { DeskError } from "../../host/error";
import { currentNav, go, select } from "../../places/nav";
import { ago, aServer, aTask } from "../../test/samples";
import type { Secret, ServerView } from "../../types";
import { isWorthAsking } from "./health";
import { openPlace, pane, ServerDesk } from "./samples";

/** One that has not answered yet. */
function unheard(change: Partial<ServerView>): ServerView {
  const { heardAt: _, ...server } = aServer(change);
  return server;
}

const button = (name: string | RegExp) => screen.findByRole("button", { name });

beforeEach(() => {
  go("servers");
  select({ server: null });
});

describe("the list of servers", () => {
  it("says of each its health in a word, where it is and how many tasks it has", async () => {
    const now = Date.now();
    const health = { code: "unreachable" as const, reason: { kind: "unreachable" as const, said: "refused" }, since: ago(1_000, now), triedAt: ago(1_000, now), retryAt: ago(-9_000, now) };
    openPlace(
      new ServerDesk([
        aServer({ tasks: { needsYou: 2, working: 36, ended: 0 } }),
        aServer({ id: "s2", name: "warehouse", place: "warehouse-mcp --all", health: { state: "unreachable", ...health } }),
        aServer({ id: "s3", name: "billing", health: { state: "sign_in_needed", since: ago(1_000, now) } }),
        aServer({ id: "s4", name: "wiki", health: { state: "unusable", code: "legacy_only", reason: { kind: "said", message: "" } } }),
        unheard({ id: "s5", name: "new", health: { state: "unknown" } }),
        aServer({ id: "s6", name: "resting", enabled: false }),
        aServer({ id: "s7", name: "quiet", heardAt: ago(250_000, now) }),
        aServer({ id: "s8", name: "taken", health: { state: "unusable", code: "not_trusted" as const, reason: { kind: "said", message: "" } } }),
      ]),
    );
    // Those of the list; its page has a list to choose from, too.
    const options = (await screen.findAllByRole("option")).filter((option) => option.tagName !== "OPTION");
    expect(options.map((option) => option.textContent)).toEqual([
      "cianswershttps://ci.example.com/mcp2 questions need you · 36 working · MCP 2026-07-28",
      "warehouseunreachablewarehouse-mcp --allno tasks yet · MCP 2026-07-28",
      "billingsign inhttps://ci.example.com/mcpno tasks yet · MCP 2026-07-28",
      "wikiunusablehttps://ci.example.com/mcpno tasks yet · MCP 2026-07-28",
      "newnot tried yethttps://ci.example.com/mcpno tasks yet · MCP 2026-07-28",
      "restingoffhttps://ci.example.com/mcpno tasks yet · MCP 2026-07-28",
      "quietanswered 4 min agohttps://ci.example.com/mcpno tasks yet · MCP 2026-07-28",
      "takenconfirm commandhttps://ci.example.com/mcpno tasks yet · MCP 2026-07-28",
    ]);
    const lamps = options.map((option) => option.querySelector("svg")?.getAttribute("data-lamp"));
    expect(lamps, "one shape for each").toEqual(["done", "unreachable", "needs_you", "failed", "idle", "idle", "done", "needs_you"]);
    const faded = options.map((option) => option.querySelector("svg")?.dataset["faded"]);
    expect(faded.indexOf("true"), "colour is for facts of the last minute").toBe(6);
    expect(options[0]?.getAttribute("aria-selected"), "the first one is shown at first").toBe("true");
  });

  it("is gone through and acted on by keyboard alone", async () => {
    const { desk, user } = openPlace(new ServerDesk([aServer(), aServer({ id: "s2", name: "research" })]));
    await screen.findAllByRole("option");
    await user.keyboard("j");
    expect(await screen.findByRole("heading", { level: 1, name: "research" })).toBeTruthy();
    await user.keyboard("{F5}");
    await screen.findByText(/^Checked \d s ago: answered in 12 ms, offers 9 tools\.$/);
    expect(desk.sent("check_server")).toEqual([{ type: "check_server", server: "s2" }]);
    await user.keyboard("e");
    expect(await screen.findByRole("region", { name: "Edit research" })).toBeTruthy();
    await user.click(await button("Cancel"));
    await user.keyboard("{Control>}n{/Control}");
    expect(document.activeElement, "typing can begin").toBe(await screen.findByRole("textbox", { name: "Paste anything" }));
  });
});

describe("a server", () => {
  it("shows its claims as claims and its secrets as references only", async () => {
    const transport = {
      kind: "stdio" as const,
      command: "warehouse-mcp",
      args: ["--profile", "two words", ""],
      env: [
        ["TOKEN", { kind: "keychain" as const, entry: "warehouse/TOKEN/8f3a" }],
        ["REGION", { kind: "env" as const, var: "WAREHOUSE_REGION" }],
        ["KEY", { kind: "file" as const, path: "/run/key" }],
      ] as [string, { kind: "keychain"; entry: string } | { kind: "env"; var: string } | { kind: "file"; path: string }][],
    };
    openPlace(new ServerDesk([aServer({ transport })]));
    const detail = await pane("Server");
    expect(detail.getByText("example-ci 4.1.0").parentElement?.textContent).toBe("example-ci 4.1.0 (a claim, not checked)");
    expect(detail.getByText("Environment").nextSibling?.textContent).toBe("TOKEN kept as a secretREGION env:WAREHOUSE_REGIONKEY @/run/key");
    expect(detail.getByText("Arguments").nextSibling?.textContent).toBe("--profiletwo words(empty)");
    expect(new XMLSerializer().serializeToString(document.body), "an entry's name is nobody's business").not.toContain("8f3a");
  });

  it("is not started before its exact command was confirmed", async () => {
    const transport = { kind: "stdio" as const, command: "npx", args: ["a server", "--yes"], env: [], cwd: "/srv/a b" };
    const health = { state: "unusable" as const, code: "not_trusted" as const, reason: { kind: "not_trusted" as const, command: ["npx"], variables: [] } };
    const { desk, user } = openPlace(new ServerDesk([aServer({ transport, trusted: false, health })]));
    expect((await pane("Server")).getByText(/The program starts once you confirm it/)).toBeTruthy();
    await user.click(await button("Confirm command"));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText("Arguments").nextSibling?.textContent, "word by word").toBe("a server--yes");
    expect(dialog.getByText("Directory").nextSibling?.textContent).toBe("/srv/a b");
    expect(desk.commands, "showing it is not confirming it").toEqual([]);
    await user.click(dialog.getByRole("button", { name: "Confirm and check" }));
    await screen.findByText(/^Checked \d s ago: answered in 12 ms, offers 9 tools\.$/);
    expect(desk.commands).toEqual([
      { type: "trust_server", server: "s1", shown: transport },
      { type: "check_server", server: "s1" },
    ]);
    expect(screen.queryByRole("button", { name: "Confirm command" }), "once is enough").toBeNull();
    await waitFor(() => expect(document.activeElement, "its opener is gone").toBe(screen.getByRole("region", { name: "Server" })));
  });

  it("says beside a variable that it changes what is run, and shows the value of a plain one", async () => {
    const env: [string, Secret][] = [
      ["LD_PRELOAD", { kind: "plain", value: "/tmp/evil.so" }],
      ["NODE_OPTIONS", { kind: "keychain", entry: "x" }],
      ["MODE", { kind: "plain", value: "fast" }],
    ];
    const transport = { kind: "stdio" as const, command: "npx", args: [], env };
    const health = { state: "unusable" as const, code: "not_trusted" as const, reason: { kind: "not_trusted" as const, command: ["npx"], variables: [] } };
    const { user } = openPlace(new ServerDesk([aServer({ transport, trusted: false, health })]));
    await user.click(await button("Confirm command"));
    const dialog = within(await screen.findByRole("dialog"));
    const given = within(dialog.getByText("Environment").nextSibling as HTMLElement).getAllByRole("listitem");
    expect(given.map((item) => item.textContent)).toEqual([
      "LD_PRELOAD /tmp/evil.so changes what the program loads or runs",
      "NODE_OPTIONS kept as a secret changes what the program loads or runs",
      "MODE fast",
    ]);
  });

  it("says which variables its program no longer gets, and one press gives one back", async () => {
    const transport = { kind: "stdio" as const, command: "npx", args: [], env: [] };
    const { desk, user } = openPlace(new ServerDesk([aServer({ transport, withheld: { names: ["API_KEY", "PYTHONPATH"], more: 3 } })]));
    expect((await pane("Server")).getByText("And 3 more.")).toBeTruthy();
    await user.click(await button("Give back PYTHONPATH"));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Give back PYTHONPATH" })).toBeNull());
    expect(screen.getByRole("button", { name: "Give back API_KEY" }), "the others are still said").toBeTruthy();
    await user.click(await button("Leave it as it is"));
    await waitFor(() => expect(screen.queryByText("Variables it no longer gets")).toBeNull());
    expect(desk.commands).toEqual([
      { type: "pass_variables", server: "s1", names: ["PYTHONPATH"] },
      { type: "seen_withheld", server: "s1" },
    ]);
  });

  it("shows the beginning of many variables until all are wanted, and which it gets without their password", async () => {
    const transport = { kind: "stdio" as const, command: "npx", args: [], env: [] };
    const names = Array.from({ length: 30 }, (_, n) => `VAR_${n}`);
    const { user } = openPlace(new ServerDesk([aServer({ transport, withheld: { names, more: 0, changed: ["HTTP_PROXY"] } })]));
    const proxy = await button("Give back HTTP_PROXY");
    expect(proxy.closest("li")?.textContent).toContain("HTTP_PROXY without the user name and the password in it");
    expect(screen.queryByText("VAR_29")).toBeNull();
    await user.click(await button("Show all 30"));
    expect(screen.getByText("VAR_29")).toBeTruthy();
  });

  it("shows whether it tells by itself, and what its clock says", async () => {
    openPlace(new ServerDesk([aServer({ push: "on", health: { state: "ok", latencyMs: 3, clockAheadMs: -90_400 } })]));
    const detail = await pane("Server");
    expect(detail.getByText("Updates").nextSibling?.textContent).toBe("sent by the server as they happen");
    expect(detail.getByText("Clock").nextSibling?.textContent).toBe("90 s behind this machine");
  });

  it("says how many of its questions are not shown", async () => {
    openPlace(new ServerDesk([aServer({ leftOut: 2 })]));
    const detail = await pane("Server");
    expect(detail.getByText("Not shown").nextSibling?.textContent).toContain("2 questions: more than Signalbox takes");
  });

  it("lists its tools, and Start goes to the form of one", async () => {
    const { user } = openPlace(new ServerDesk([aServer()]));
    await user.click(await screen.findByRole("tab", { name: "Tools" }));
    const tools = within(await screen.findByRole("list", { name: "Tools" })).getAllByRole("listitem");
    const texts = tools.map((tool) => tool.textContent);
    expect(texts[0]).toContain("deploy Rolls a version out. the server says that it may destroy something");
    expect(texts[1]).toMatch(/^build .*Start$/);
    expect(within(tools[1] as HTMLElement).getByLabelText("Notifications about build")).toHaveProperty("value", "above");
    await user.click(await button("Start deploy"));
    expect(currentNav()).toMatchObject({ place: "start", start: { server: "s1", tool: "deploy" } });
  });

  it("says why its tools cannot be listed, and asks again", async () => {
    const desk = new ServerDesk([aServer()]);
    desk.refusals.set("tools", { code: "unreachable", message: "connection refused", retry: "later" });
    const { user } = openPlace(desk);
    await user.click(await screen.findByRole("tab", { name: "Tools" }));
    expect((await screen.findByRole("alert")).textContent).toContain("connection refused");
    desk.refusals.clear();
    await user.click(await button("Try again"));
    expect(await screen.findByRole("list", { name: "Tools" })).toBeTruthy();
  });

  it("lets the person sign in with their browser", async () => {
    const desk = new ServerDesk([aServer({ health: { state: "sign_in_needed", since: ago(1_000, Date.now()) } })]);
    const { user } = openPlace(desk);
    await user.click(await button("Sign in…"));
    await screen.findByText(/^Answers/);
    expect(desk.opened).toEqual(["https://login.example.com/authorize"]);
    expect(desk.sent("await_sign_in"), "the end is waited for").toEqual([{ type: "await_sign_in", server: "s1", attempt: "7-1" }]);
    expect(screen.queryByRole("button", { name: "Sign in…" }), "nobody has to any more").toBeNull();
  });

  it("shows the address to sign in at when no browser starts, and goes on waiting", async () => {
    const desk = new ServerDesk([aServer({ health: { state: "sign_in_needed", since: ago(1_000, Date.now()) } })]);
    desk.openUrl = () => Promise.reject(new DeskError({ code: "spawn_failed", message: "there is no browser", retry: "after_fix" }));
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const { act } = desk;
    desk.act = async (command) => {
      if (command.type === "await_sign_in") await ended;
      return act(command);
    };
    const { user, container } = openPlace(desk);
    await user.click(await button("Sign in…"));
    expect((await screen.findByRole("alert")).textContent).toContain("there is no browser");
    expect(container.textContent).toContain("https://login.example.com/authorize");
    expect(container.querySelector("a"), "what a server names is no link").toBeNull();
    await user.click(await button("Copy the address"));
    expect(desk.copied).toEqual(["https://login.example.com/authorize"]);
    expect(screen.getByText(/^Waiting for you to sign in/), "another browser can end it").toBeTruthy();
    end();
    await screen.findByText(/^Answers/);
  });

  it("says why a sign-in failed", async () => {
    const desk = new ServerDesk([aServer({ health: { state: "sign_in_needed", since: ago(1_000, Date.now()) } })]);
    desk.refusals.set("sign_in", { code: "unreachable", message: "login.example.com cannot be reached", retry: "later" });
    const { user } = openPlace(desk);
    await user.click(await button("Sign in…"));
    expect((await screen.findByRole("alert")).textContent).toContain("login.example.com cannot be reached");
    expect(desk.opened, "there is no page to show").toEqual([]);
  });

  it("says why a check failed", async () => {
    const desk = new ServerDesk([aServer()]);
    desk.refusals.set("check_server", { code: "too_large", message: "The list of tools is too large", retry: "after_fix" });
    const { user } = openPlace(desk);
    await user.click(await button(/^Check now/));
    expect((await screen.findByRole("alert")).textContent).toContain("The list of tools is too large");
  });

  it("is renamed, with the refusal at the field", async () => {
    const desk = new ServerDesk([aServer()]);
    desk.refusals.set("rename_server", { code: "name_taken", message: "Another server is called research", retry: "after_fix" });
    const { user } = openPlace(desk);
    await user.click(await button("Rename"));
    const name = await screen.findByRole("textbox", { name: "Name" });
    await waitFor(() => expect(document.activeElement).toBe(name));
    await user.clear(name);
    await user.type(name, "research{Enter}");
    expect((await screen.findByRole("alert")).textContent).toBe("Another server is called research");
    expect(name).toHaveProperty("value", "research");
    desk.refusals.clear();
    await user.type(name, " 2{Enter}");
    expect(await screen.findByRole("heading", { level: 1, name: "research 2" })).toBeTruthy();
    expect(desk.sent("rename_server").at(-1)).toEqual({ type: "rename_server", server: "s1", name: "research 2" });
  });

  it("is switched off and on", async () => {
    const { desk, user } = openPlace(new ServerDesk([aServer()]));
    await user.click(await button("Disable"));
    await screen.findByText("Switched off.");
    expect(await button(/^Check now/), "what is off is not connected to").toHaveProperty("disabled", true);
    await user.click(await button("Enable"));
    await screen.findByText(/^Answers/);
    expect(desk.sent("set_server_enabled")).toEqual([
      { type: "set_server_enabled", server: "s1", enabled: false },
      { type: "set_server_enabled", server: "s1", enabled: true },
    ]);
  });
});

describe("opening a server's page", () => {
  const old = ago(250_000, Date.now());
  const missed = { code: "unreachable" as const, reason: { kind: "unreachable" as const, said: "refused" }, at: old };

  it.each([
    ["one that was silent for a while", aServer({ heardAt: old })],
    ["one that was not reached in an earlier run", unheard({ health: { state: "unknown", missed } })],
  ])("asks %s once", async (_, server) => {
    const { desk } = openPlace(new ServerDesk([server]));
    await screen.findByText(/^Checked \d s ago: answered/);
    desk.touch();
    await screen.findByText(/^Answers/);
    expect(desk.commands).toEqual([{ type: "check_server", server: "s1" }]);
  });

  it.each([
    ["has just answered", aServer()],
    ["is switched off", aServer({ heardAt: old, enabled: false })],
    ["waits for a sign-in", aServer({ heardAt: old, health: { state: "sign_in_needed", since: old } })],
    ["waits for its command to be confirmed", aServer({ heardAt: old, trusted: false, health: { state: "unusable", code: "not_trusted" as const, reason: { kind: "said", message: "" } } })],
    ["waits for locked secrets", aServer({ heardAt: old, health: { state: "unusable", code: "secrets_locked", reason: { kind: "said", message: "" } } })],
    ["was never spoken to", unheard({ health: { state: "unknown" } })],
  ])("asks nothing of one that %s", (_, server) => {
    expect(isWorthAsking(server, Date.now())).toBe(false);
  });

  it("asks nothing of those that are only passed by", async () => {
    const { desk, user } = openPlace(new ServerDesk([aServer(), aServer({ id: "s2", heardAt: old }), aServer({ id: "s3", heardAt: old })]));
    await screen.findAllByRole("option");
    await user.keyboard("jj");
    await screen.findByText(/^Checked/);
    expect(desk.sent("check_server")).toEqual([{ type: "check_server", server: "s3" }]);
  });

  it("leads from its counts to its tasks and to the inbox", async () => {
    const { user } = openPlace(new ServerDesk([aServer({ tasks: { needsYou: 5, working: 0, ended: 8 } })]));
    await user.click(await button("8 ended"));
    expect(currentNav()).toMatchObject({ place: "tasks", only: { tasks: "s1" } });
    go("servers");
    await user.click(await button("5 questions need you"));
    expect(currentNav()).toMatchObject({ place: "inbox", only: { inbox: "s1" } });
  });
});

describe("removing a server", () => {
  it("is confirmed first", async () => {
    const { desk, user } = openPlace(new ServerDesk([aServer(), aServer({ id: "s2", name: "research" })]));
    await user.click(await button("Remove"));
    const dialog = within(await screen.findByRole("dialog", { name: "Remove ci?" }));
    await user.click(dialog.getByRole("button", { name: "Keep" }));
    expect(desk.sent("remove_server")).toEqual([]);
    await user.click(await button("Remove"));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Remove" }));
    expect(await screen.findByRole("heading", { level: 1, name: "research" }), "the next one is shown").toBeTruthy();
    expect(desk.sent("remove_server")).toEqual([{ type: "remove_server", server: "s1" }]);
  });

  it("is refused while tasks are live, which are named and can be gone to", async () => {
    const desk = new ServerDesk([aServer()], [aTask({ id: "t7", tool: "deploy", summary: "api 4.18" }), aTask({ id: "t9" })]);
    desk.refusals.set("remove_server", {
      code: "live_tasks",
      message: "The server has live tasks",
      retry: "after_fix",
      detail: { tasks: ["t7", "t12"] },
    });
    const { user } = openPlace(desk);
    await user.click(await button("Remove"));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Remove" }));
    expect((await dialog.findByRole("alert")).textContent).toContain("The server still has tasks under way");
    const link = await dialog.findByRole("button", { name: "t7 deploy api 4.18" });
    expect(dialog.getByRole("button", { name: "t12" }), "one that is not in the list is named all the same").toBeTruthy();
    expect(dialog.queryByRole("button", { name: /t9/ }), "only those in the way").toBeNull();
    await user.click(link);
    expect(currentNav()).toMatchObject({ place: "tasks", task: "t7" });
  });
});
