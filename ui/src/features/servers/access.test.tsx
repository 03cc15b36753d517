import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { go, openServer, select } from "../../places/nav";
import { ago, aServer } from "../../test/samples";
import type { FieldError, ServerView } from "../../types";
import { openPlace, pane, ServerDesk } from "./samples";

const SECRET = "s3cr3t-of-the-client";
const button = (name: string | RegExp) => screen.findByRole("button", { name });
const field = (name: RegExp) => screen.findByLabelText(name);
const ACCESS: ServerView["access"] = {
  caCertificates: ["/etc/ssl/ours.pem"],
  proxy: "http://proxy.example.com:3128/",
  signIn: {
    clientId: "signalbox",
    clientSecret: { kind: "keychain", entry: "ci/client secret/77" },
    clientMetadataUrl: "https://example.com/client.json",
    scopes: ["read", "write"],
    machine: false,
  },
};

beforeEach(() => {
  go("servers");
  select({ server: null });
});

/** Opens the form by keyboard. */
async function changing(desk: ServerDesk) {
  const opened = openPlace(desk);
  await opened.user.keyboard("{Tab}");
  await button(/^Change access/);
  await opened.user.keyboard("l");
  expect(document.activeElement, "typing can begin").toBe(await field(/^Client id/));
  return opened;
}

describe("the access of a server", () => {
  it("is opened by a key, saved whole, shown and tried", async () => {
    const { desk, user } = await changing(new ServerDesk([aServer()]));
    await user.keyboard(" signalbox ");
    await user.selectOptions(await screen.findByLabelText("Value from"), "env");
    await user.type(await screen.findByLabelText("Variable"), "CI_SECRET");
    await user.type(await field(/^Client metadata/), "https://example.com/client.json");
    await user.type(await field(/^Scopes/), "read  write ");
    await user.type(await field(/^Extra certificates/), "/etc/ssl/a.pem\n\n/etc/ssl/b.pem");
    await user.type(await field(/^Proxy/), "http://proxy.example.com:3128");
    await user.click(await button("Save and check"));
    await screen.findByText("Saved.");
    await screen.findByText(/^Checked \d s ago: answered in 12 ms, offers 9 tools\.$/);
    expect(desk.commands).toEqual([
      {
        type: "set_access",
        server: "s1",
        access: {
          clientId: "signalbox",
          clientSecret: { kind: "reference", secret: { kind: "env", var: "CI_SECRET" } },
          clientMetadataUrl: "https://example.com/client.json",
          scopes: ["read", "write"],
          machine: false,
          caCertificates: ["/etc/ssl/a.pem", "/etc/ssl/b.pem"],
          proxy: "http://proxy.example.com:3128",
        },
        shown: aServer().transport,
      },
      { type: "check_server", server: "s1" },
    ]);
    const detail = await pane("Server");
    expect(detail.getByText("Client secret").nextSibling?.textContent).toBe("env:CI_SECRET");
    expect(detail.getByText("Scopes asked for").nextSibling?.textContent).toBe("readwrite");
    expect(detail.getByText("Certificates").nextSibling?.textContent).toBe("/etc/ssl/a.pem/etc/ssl/b.pem");
  });

  it("stays as it is when nothing is changed, and can be emptied", async () => {
    const { desk, user } = await changing(new ServerDesk([aServer({ access: ACCESS })]));
    await user.click(await button("Save and check"));
    await screen.findByText("Saved.");
    const { signIn, ...network } = ACCESS;
    const clientSecret = { kind: "reference", secret: signIn.clientSecret };
    expect(desk.commands[0]).toEqual({ type: "set_access", server: "s1", access: { ...network, ...signIn, clientSecret }, shown: aServer().transport });

    await user.click(await button(/^Change access/));
    expect(screen.queryByText("Saved."), "it was said once").toBeNull();
    for (const name of [/^Client id/, /^Client metadata/, /^Scopes/, /^Extra certificates/, /^Proxy/]) await user.clear(await field(name));
    await user.selectOptions(await screen.findByLabelText("Value from"), "none");
    await user.click(await button("Save and check"));
    await screen.findByText("Saved.");
    expect(desk.sent("set_access")[1]).toEqual({ type: "set_access", server: "s1", access: { caCertificates: [], scopes: [], machine: false }, shown: aServer().transport });
  });

  it("takes a client secret, and never shows it", async () => {
    const { desk, user, container } = await changing(new ServerDesk([aServer()]));
    await user.keyboard("robot");
    await user.selectOptions(await screen.findByLabelText("Value from"), "literal");
    const value = await screen.findByLabelText("Value");
    expect(value).toMatchObject({ type: "password", autocomplete: "off" });
    await user.click(await button("Save and check"));
    expect((await screen.findByRole("alert")).textContent).toBe("Enter the secret, or say where it is.");
    expect(document.activeElement).toBe(value);
    expect(desk.commands, "nothing is sent while something is missing").toEqual([]);
    await user.type(value, SECRET);
    await user.click(await screen.findByRole("checkbox", { name: /signs in by itself/ }));
    expect(new XMLSerializer().serializeToString(container), "not in any attribute").not.toContain(SECRET);
    await user.click(await button("Save and check"));
    await screen.findByText("Saved.");
    expect(desk.commands[0]).toMatchObject({ access: { clientSecret: { kind: "literal", value: SECRET }, machine: true } });
    const detail = await pane("Server");
    expect(detail.getByText("Client secret").nextSibling?.textContent).toBe("kept as a secret");
    await user.click(await button(/^Change access/));
    const inputs = [...document.querySelectorAll("input, textarea")];
    expect(inputs.map((input) => (input as HTMLInputElement).value).join()).not.toContain(SECRET);
    expect(await screen.findByLabelText("Value from")).toHaveProperty("value", "kept");
  });

  it("is refused field by field, with what was typed kept", async () => {
    const desk = new ServerDesk([aServer()]);
    const misfit = (name: string, message: string): FieldError => ({ field: name, path: `/${name}`, message, code: "format" });
    const errors = [misfit("proxy", "Only proxies of http and https are used"), misfit("scopes", '"a,b" cannot be a scope')];
    desk.refusals.set("set_access", { code: "usage", message: "both of it", retry: "never", detail: { errors } });
    const { user } = await changing(desk);
    await user.type(await field(/^Scopes/), "a,b");
    await user.type(await field(/^Proxy/), "socks5://proxy");
    await user.click(await button("Save and check"));
    await waitFor(() => expect(screen.getAllByRole("alert")).toHaveLength(2));
    const scopes = await field(/^Scopes/);
    expect(scopes).toHaveProperty("value", "a,b");
    expect(document.activeElement, "the first one is gone to").toBe(scopes);
    for (const [name, words] of [[/^Scopes/, '"a,b" cannot be a scope'], [/^Proxy/, "Only proxies of http and https are used"]] as const) {
      const described = (await field(name)).getAttribute("aria-describedby")?.split(" ") ?? [];
      expect(described.map((id) => document.getElementById(id)?.textContent)).toContain(words);
    }
    expect(screen.queryByText("both of it"), "it is not said twice").toBeNull();

    desk.refusals.set("set_access", { code: "no_keychain", message: "there is no keychain here", retry: "after_fix" });
    await user.click(await button("Save and check"));
    const secret = within(await screen.findByRole("group", { name: /^Client secret/ }));
    expect((await secret.findByRole("alert")).textContent).toBe("there is no keychain here");
    expect(secret.queryByRole("button"), "no secret was given: there is nothing to keep").toBeNull();
    await user.selectOptions(secret.getByLabelText("Value from"), "literal");
    await user.type(secret.getByLabelText("Value"), SECRET);
    desk.refusals.set("set_access", { code: "no_keychain", message: "the keychain does not open", retry: "after_fix" });
    await user.click(await button("Save and check"));
    await waitFor(() => expect(secret.getByRole("alert").textContent).toBe("the keychain does not open"));
    await user.click(secret.getByRole("button", { name: "Choose where secrets are kept…" }));
    // The dialog that waits for what is kept now is another than the one with the choice.
    const cancel = await waitFor(() => within(screen.getByRole("dialog", { name: "Where to keep secrets" })).getByRole("button", { name: "Cancel" }));
    await user.click(cancel);
    expect(secret.getByLabelText("Value"), "what was typed stays").toHaveProperty("value", SECRET);

    desk.refusals.set("set_access", { code: "storage_full", message: "No space is left", retry: "after_fix" });
    await user.click(await button("Save and check"));
    await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("No space is left"));
  });

  it("is nothing that a program has", async () => {
    const { user } = openPlace(new ServerDesk([aServer({ transport: { kind: "stdio", command: "x", args: [], env: [] } })]));
    await pane("Server");
    expect(screen.queryByRole("heading", { name: "Access" })).toBeNull();
    await user.keyboard("l");
    expect(screen.queryByRole("region", { name: /^Access to/ })).toBeNull();
  });
});

describe("a form for access that is left for another place", () => {
  const servers = () => [aServer(), aServer({ id: "s2", name: "deploy" })];
  const value = async (name: RegExp) => ((await field(name)) as HTMLInputElement).value;
  const back = async ({ user }: Awaited<ReturnType<typeof changing>>) => {
    act(() => openServer("s2"));
    await screen.findByRole("heading", { level: 1, name: "deploy" });
    act(() => openServer("s1"));
    await user.click(await button(/^Change access/));
  };

  it("is found as it was, except for a typed secret, which it says", async () => {
    const opened = await changing(new ServerDesk(servers()));
    const { desk, user } = opened;
    await user.keyboard("robot");
    await user.type(await field(/^Scopes/), "read");
    await user.selectOptions(await screen.findByLabelText("Value from"), "literal");
    await user.type(await screen.findByLabelText("Value"), SECRET);
    await back(opened);
    expect((await screen.findByText(/^As you left it/)).textContent).toContain("Type the client secret again. It was not kept.");
    expect(await value(/^Client id/)).toBe("robot");
    expect(await value(/^Scopes/)).toBe("read");
    expect(await screen.findByLabelText("Value")).toHaveProperty("value", "");
    await user.click(await button("Save and check"));
    expect((await screen.findByRole("alert")).textContent).toBe("Enter the secret, or say where it is.");
    await user.type(await screen.findByLabelText("Value"), SECRET);
    await user.click(await button("Save and check"));
    await screen.findByText("Saved.");
    expect(desk.sent("set_access")).toHaveLength(1);
    await user.click(await button(/^Change access/));
    expect(screen.queryByText(/^As you left it/), "what was sent is not kept").toBeNull();
  });

  it("says nothing of a secret where none was typed, and can be started over", async () => {
    const opened = await changing(new ServerDesk(servers()));
    await opened.user.keyboard("robot");
    await back(opened);
    expect((await screen.findByText(/^As you left it/)).textContent).not.toContain("secret");
    await opened.user.click(await button("Start over"));
    expect(await value(/^Client id/)).toBe("");
    expect(screen.queryByText(/^As you left it/)).toBeNull();
  });

  it("opens as ever where nothing was typed", async () => {
    const opened = await changing(new ServerDesk(servers()));
    await back(opened);
    await field(/^Client id/);
    expect(screen.queryByText(/^As you left it/)).toBeNull();
  });

  it("asks before what was typed is thrown away", async () => {
    const { user } = await changing(new ServerDesk(servers()));
    await user.keyboard("robot");
    await user.click(await button("Cancel"));
    await user.click(await button("Keep editing"));
    expect(await value(/^Client id/)).toBe("robot");
    await user.click(await button("Cancel"));
    await user.click(await button("Throw it away"));
    await user.click(await button(/^Change access/));
    expect(await value(/^Client id/)).toBe("");
  });
});

describe("who is signed in", () => {
  const AWAY = { state: "unreachable", code: "unreachable", reason: { kind: "said", message: "refused" }, since: ago(1_000), retryAt: ago(-1_000) } as const;
  const signedIn = { issuer: "https://login.example.com", scopes: ["read", "offline_access"] };
  const machine = { caCertificates: [], signIn: { scopes: [], machine: true, clientId: "robot" } };
  it.each([
    ["none known", aServer()],
    ["not known yet", aServer({ enabled: false })],
    ["not known yet", aServer({ enabled: false, health: { state: "sign_in_needed", since: ago(1_000, Date.now()) } })],
    ["not known yet", aServer({ health: { state: "unknown" } })],
    ["not known yet", aServer({ health: AWAY })],
    ["signed in at https://login.example.com", aServer({ signedIn, health: AWAY })],
    ["signed in at https://login.example.com", aServer({ signedIn })],
    ["by itself, without a person", aServer({ access: machine })],
    ["by itself, without a person at https://login.example.com", aServer({ access: machine, signedIn })],
    ["needed: nobody is signed in", aServer({ health: { state: "sign_in_needed", since: ago(1_000, Date.now()) } })],
  ])("is shown: %s", async (words, server) => {
    openPlace(new ServerDesk([server]));
    const detail = await pane("Server");
    expect(detail.getByText("Sign-in", { selector: "dt" }).nextSibling?.textContent).toBe(words);
    const leaves = screen.queryByRole("button", { name: "Sign out…" }) !== null;
    expect(leaves, "only who may be signed in can leave, and a machine never does").toBe(/^signed in|^not known/.test(words));
  });

  it("signs out of a server that is switched off without trying it, and says so", async () => {
    const { desk, user } = openPlace(new ServerDesk([aServer({ enabled: false })]));
    await user.click(await button("Sign out…"));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Sign out" }));
    expect(await screen.findByText("Signed out.")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(desk.commands).toEqual([{ type: "sign_out", server: "s1" }]);
  });

  it("signs out once it was said what that means", async () => {
    const { desk, user } = openPlace(new ServerDesk([aServer({ signedIn, tasks: { needsYou: 1, working: 2, ended: 9 } })]));
    expect((await pane("Server")).getByText("Scopes granted").nextSibling?.textContent).toBe("readoffline_access");
    await user.click(await button("Sign out…"));
    const dialog = within(await screen.findByRole("dialog", { name: "Sign out of ci?" }));
    expect(dialog.getByText(/^The 3 tasks under way there go on at the server/)).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Stay signed in" }));
    expect(desk.commands).toEqual([]);
    await user.click(await button("Sign out…"));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Sign out" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(desk.commands).toEqual([
      { type: "sign_out", server: "s1" },
      { type: "check_server", server: "s1" },
    ]);
  });

  it("says what stays valid elsewhere, and why signing out failed", async () => {
    const desk = new ServerDesk([aServer({ signedIn })]);
    desk.refusals.set("sign_out", { code: "no_keychain", message: "the keychain is locked", retry: "after_fix" });
    desk.validStill = "login.example.com cannot be reached";
    const { user } = openPlace(desk);
    await user.click(await button("Sign out…"));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Sign out" }));
    expect((await dialog.findByRole("alert")).textContent).toContain("the keychain is locked");
    desk.refusals.clear();
    await user.click(dialog.getByRole("button", { name: "Sign out" }));
    expect(await dialog.findByText("login.example.com cannot be reached")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});
