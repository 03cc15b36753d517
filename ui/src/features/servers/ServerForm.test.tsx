import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { go, openServer, select } from "../../places/nav";
import { aServer } from "../../test/samples";
import type { Code } from "../../types";
import { openPlace, ServerDesk } from "./samples";

const SECRET = "Bearer s3cr3t-t0ken";
const button = (name: string | RegExp) => screen.findByRole("button", { name });
const field = (name: string) => screen.findByLabelText(name);
const errorAt = async (name: string) => {
  const control = await screen.findByLabelText(name);
  const ids = control.getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent).at(-1);
};

async function adding(desk = new ServerDesk([]), some = false) {
  const opened = openPlace(desk);
  const { user } = opened;
  if (some) await user.click(await button("Add a server"));
  const submit = async () => user.click(await button("Add and check"));
  await field("Name");
  return { ...opened, submit };
}

function refused(code: Code, message: string): ServerDesk {
  const desk = new ServerDesk([]);
  desk.refusals.set("add_server", { code, message, retry: "after_fix" });
  return desk;
}

beforeEach(() => {
  go("servers");
  select({ server: null });
});

describe("adding a server", () => {
  it("sends a URL with its headers, checks at once and shows what was found", async () => {
    const { desk, user, submit } = await adding();
    await user.type(await field("Name"), " deploy-eu ");
    await user.type(await field("URL"), "https://deploy.example.com/mcp");
    for (let n = 0; n < 4; n += 1) await user.click(await button("Add a header"));
    const names = screen.getAllByLabelText("Name").slice(1);
    const sources = screen.getAllByLabelText("Value from");
    await user.type(names[0] as HTMLElement, "Authorization");
    await user.type(screen.getAllByLabelText("Value")[0] as HTMLElement, SECRET);
    await user.type(names[1] as HTMLElement, "X-Team");
    await user.selectOptions(sources[1] as HTMLElement, "env");
    await user.type(await field("Variable"), "TEAM_TOKEN");
    await user.type(names[2] as HTMLElement, "X-Key");
    await user.selectOptions(sources[2] as HTMLElement, "file");
    await user.type(await field("Path"), "/run/secrets/key");
    await submit();

    await screen.findByText(/^Checked \d s ago: answered in 12 ms, offers 9 tools\.$/);
    expect(await screen.findByRole("heading", { level: 1, name: "deploy-eu" })).toBeTruthy();
    expect(desk.commands).toEqual([
      {
        type: "add_server",
        name: "deploy-eu",
        transport: {
          kind: "http",
          url: "https://deploy.example.com/mcp",
          headers: [
            ["Authorization", { kind: "literal", value: SECRET }],
            ["X-Team", { kind: "reference", secret: { kind: "env", var: "TEAM_TOKEN" } }],
            ["X-Key", { kind: "reference", secret: { kind: "file", path: "/run/secrets/key" } }],
          ],
        },
      },
      { type: "check_server", server: "s1" },
    ]);
  });

  it("sends a command line word by word, exactly as typed", async () => {
    const { desk, user, submit } = await adding();
    await user.type(await field("Name"), "warehouse");
    await user.click(await screen.findByRole("tab", { name: "A program here" }));
    await user.type(await field("Program"), "warehouse-mcp");
    await user.type(await screen.findByLabelText(/^Arguments/), "--profile\ntwo words\n$HOME && \"x\"");
    await user.type(await screen.findByLabelText(/^Directory/), "/srv/warehouse");
    await user.click(await button("Add a variable"));
    await user.type(screen.getAllByLabelText("Name")[1] as HTMLElement, "TOKEN");
    await user.type(await field("Value"), SECRET);
    expect(screen.getByText("Runs").textContent, "what is run is shown before").toBe('Runs warehouse-mcp--profiletwo words$HOME && "x"');
    await submit();
    await waitFor(() =>
      expect(desk.commands[0]).toEqual({
        type: "add_server",
        name: "warehouse",
        transport: {
          kind: "stdio",
          command: "warehouse-mcp",
          args: ["--profile", "two words", '$HOME && "x"'],
          cwd: "/srv/warehouse",
          env: [["TOKEN", { kind: "literal", value: SECRET }]],
        },
      }),
    );
  });

  it("hides a typed secret, offers it to no password store, and holds it nowhere once it is sent", async () => {
    const { user, submit, container } = await adding();
    await user.type(await field("Name"), "x");
    await user.type(await field("URL"), "https://x.example.com");
    await user.click(await button("Add a header"));
    await user.type(screen.getAllByLabelText("Name")[1] as HTMLElement, "Authorization");
    const value = await field("Value");
    expect(value).toMatchObject({ type: "password", autocomplete: "off" });
    await user.type(value, SECRET);
    expect(new XMLSerializer().serializeToString(container), "not in any attribute").not.toContain(SECRET);
    await submit();
    await screen.findByRole("heading", { level: 1, name: "x" });
    await user.click(await button("Add a server"));
    const inputs = [...document.querySelectorAll("input, textarea")];
    expect(inputs.map((input) => (input as HTMLInputElement).value).join(), "a new form knows nothing of it").not.toContain(SECRET);
    expect(JSON.stringify(localStorage)).not.toContain(SECRET);
  });

  it("sends nothing while something is missing, and goes to it", async () => {
    const { desk, user, submit } = await adding();
    await user.type(await field("URL"), "https://x.example.com");
    await submit();
    expect(await errorAt("Name")).toBe("Give it a name.");
    expect(document.activeElement).toBe(await field("Name"));
    expect(desk.commands).toEqual([]);
  });

  it.each([
    ["name_taken", "Another server has the name x", "https://x.example.com", "Name"],
    ["usage", '"s1" cannot be a server\'s name', "https://x.example.com", "Name"],
    ["usage", '"ftp://x" cannot be a server\'s URL', "ftp://x", "URL"],
    ["usage", '"x" cannot be a server\'s URL', "x", "URL"],
    ["usage", "put the credentials into a header", "https://me:pw@x.example.com", "URL"],
  ] as const)("shows %s (%s) at its field and keeps what was typed", async (code, message, url, at) => {
    const { user, submit } = await adding(refused(code, message));
    await user.type(await field("Name"), "x");
    await user.type(await field("URL"), url);
    await submit();
    await waitFor(async () => expect(await errorAt(at)).toBe(message));
    expect(await field("URL")).toHaveProperty("value", url);
    expect(await button("Add and check"), "it can be sent again").toHaveProperty("disabled", false);
  });

  it("says without a keychain what to take instead", async () => {
    const { user, submit } = await adding(refused("no_keychain", "there is no keychain here"));
    await user.type(await field("Name"), "x");
    await user.type(await field("URL"), "https://x.example.com");
    await user.click(await button("Add a header"));
    await user.type(screen.getAllByLabelText("Name")[1] as HTMLElement, "Authorization");
    await user.type(await field("Value"), SECRET);
    await submit();
    const alert = await within(screen.getByRole("group", { name: /^Headers/ })).findByRole("alert");
    expect(alert.textContent).toContain("there is no keychain here");
    expect(alert.textContent).toContain("nothing that you typed is lost");
  });

  async function stuck() {
    const desk = new ServerDesk([]);
    const message = "there is no keychain here";
    desk.refusals.set("add_server", { code: "no_keychain", message, retry: "after_fix", detail: { values: ["API_KEY"] } });
    const opened = await adding(desk);
    const { user, submit } = opened;
    await user.type(await field("Name"), "x");
    await user.click(await screen.findByRole("tab", { name: "A program here" }));
    await user.type(await field("Program"), "it");
    await user.click(await button("Add a variable"));
    await user.type(screen.getAllByLabelText("Name")[1] as HTMLElement, "API_KEY");
    await user.type(await field("Value"), SECRET);
    await submit();
    const group = within(screen.getByRole("group", { name: /^Environment/ }));
    expect((await group.findByRole("alert")).textContent).toContain(message);
    expect(group.getByDisplayValue("API_KEY"), "the eye is led there").toBe(document.activeElement);
    expect(screen.getByText("Not added. What is wrong is marked above.")).toBeTruthy();
    desk.refusals.clear();
    return opened;
  }

  it("says which variables change what the program loads or runs, and claims no more than the program gets", async () => {
    const { user } = await adding();
    await user.click(await screen.findByRole("tab", { name: "A program here" }));
    expect(screen.getByText(/^Without these the program gets only what programs need/)).toBeTruthy();
    await user.click(await button("Add a variable"));
    const name = screen.getAllByLabelText("Name")[1] as HTMLElement;
    await user.type(name, "LOG_LEVEL");
    expect(screen.queryByText(/changes what the program/)).toBeNull();
    await user.clear(name);
    await user.type(name, "LD_PRELOAD");
    expect(screen.getByText("LD_PRELOAD: this changes what the program loads or runs.")).toBeTruthy();
  });

  it("keeps a value in the clear that cannot be kept as a secret, after a second word for its name", async () => {
    const { desk, user, submit } = await stuck();
    await user.click(await button("Keep it in the clear"));
    expect(await field("Value, in the clear"), "what was typed is not lost").toHaveProperty("value", SECRET);
    expect(screen.queryByRole("alert"), "that it cannot be kept is true no more").toBeNull();
    await submit();
    expect((await screen.findByRole("alert")).textContent).toContain("named like a secret");
    expect(desk.sent("add_server").length, "nothing more was sent").toBe(1);
    await user.click(screen.getByRole("checkbox", { name: /API_KEY is named like a secret/ }));
    await submit();
    await waitFor(() => expect(desk.sent("add_server").length).toBe(2));
    expect(desk.sent("add_server")[1]).toMatchObject({ transport: { env: [["API_KEY", { kind: "plain", value: SECRET, sure: true }]] } });
  });

  it("takes such a value from a variable, and forgets nothing that was typed", async () => {
    const { desk, user, submit } = await stuck();
    await user.click(await button("Take it from a variable"));
    expect(await field("Variable")).toHaveProperty("value", "API_KEY");
    await user.selectOptions(await field("Value from"), "literal");
    expect(await field("Value")).toHaveProperty("value", SECRET);
    await user.selectOptions(await field("Value from"), "env");
    await submit();
    await waitFor(() => expect(desk.sent("add_server").length).toBe(2));
    expect(desk.sent("add_server")[1]).toMatchObject({ transport: { env: [["API_KEY", { kind: "reference", secret: { kind: "env", var: "API_KEY" } }]] } });
  });

  it("lets another place for secrets be chosen over the form", async () => {
    const { desk, user, submit } = await stuck();
    await user.click(await button("Choose where secrets are kept…"));
    await user.click(await screen.findByRole("radio", { name: /this run/i }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getAllByRole("button")[0] as HTMLElement);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(desk.sent("keep_secrets")).toEqual([{ type: "keep_secrets", place: "this_run" }]);
    await submit();
    await waitFor(() => expect(desk.sent("add_server").length).toBe(2));
    expect(desk.sent("add_server")[1], "the form is as it was").toMatchObject({
      name: "x",
      transport: { env: [["API_KEY", { kind: "literal", value: SECRET }]] },
    });
  });

  it("loses nothing by a look at the other way to reach it", async () => {
    const { user } = await adding();
    await user.click(await button("Add a header"));
    await user.type(await field("Value"), SECRET);
    await user.click(await screen.findByRole("tab", { name: "A program here" }));
    await user.click(await screen.findByRole("tab", { name: "Over the network" }));
    expect(await field("Value")).toHaveProperty("value", SECRET);
  });

  it("asks before Escape throws away what was typed", async () => {
    const { user } = await adding(new ServerDesk([aServer({})]), true);
    await user.type(await field("Name"), "x");
    (document.activeElement as HTMLElement).blur();
    await user.keyboard("{Escape}");
    await user.click(await button("Keep editing"));
    expect(await field("Name")).toHaveProperty("value", "x");
    await user.click(await button("Cancel"));
    await user.click(await button("Throw it away"));
    await waitFor(() => expect(screen.queryByLabelText("Name")).toBeNull());
  });

  it("shows any other error for the form as a whole", async () => {
    const { user, submit } = await adding(refused("storage_full", "No space is left"));
    await user.type(await field("Name"), "x");
    await user.type(await field("URL"), "https://x.example.com");
    await submit();
    expect((await screen.findByRole("alert")).textContent).toContain("No space is left");
  });

  it("says on the first day what to do, and starts the demo", async () => {
    const { desk, user } = await adding();
    expect(screen.getByRole("heading", { name: "No servers yet" })).toBeTruthy();
    await user.click(await button("Start the demo"));
    await waitFor(() => expect(desk.commands[0]).toEqual({ type: "start_demo" }));
  });
});

describe("changing a server", () => {
  it("leaves a secret of the keychain as it is, or replaces it", async () => {
    const headers: [string, { kind: "keychain"; entry: string }][] = [
      ["Authorization", { kind: "keychain", entry: "ci/1" }],
      ["X-Old", { kind: "keychain", entry: "ci/2" }],
      ["X-Gone", { kind: "keychain", entry: "ci/3" }],
    ];
    const { desk, user } = openPlace(new ServerDesk([aServer({ transport: { kind: "http", url: "https://ci.example.com/mcp", headers } })]));
    await user.click(await button(/^Edit/));
    await user.selectOptions(screen.getAllByLabelText("Value from")[1] as HTMLElement, "literal");
    await user.type(document.querySelector("input[type=password]:not([hidden])") as HTMLInputElement, SECRET);
    await user.click(await button("Remove X-Gone"));
    await user.click(await button("Save"));
    await screen.findByText(/^Checked \d s ago/);
    expect(desk.commands[0]).toEqual({
      type: "edit_server",
      server: "s1",
      transport: {
        kind: "http",
        url: "https://ci.example.com/mcp",
        headers: [
          ["Authorization", { kind: "reference", secret: { kind: "keychain", entry: "ci/1" } }],
          ["X-Old", { kind: "literal", value: SECRET }],
        ],
      },
      shown: { kind: "http", url: "https://ci.example.com/mcp", headers },
    });
  });

  it("says which headers of the old host the new one gets", async () => {
    const headers: [string, { kind: "keychain"; entry: string }][] = [["Authorization", { kind: "keychain", entry: "ci/1" }]];
    const { user } = openPlace(new ServerDesk([aServer({ transport: { kind: "http", url: "https://ci.example.com/mcp", headers } })]));
    await user.click(await button(/^Edit/));
    const url = screen.getByLabelText(/^URL/);
    await user.clear(url);
    await user.type(url, "https://elsewhere.example.com/mcp");
    expect(screen.getByText(/given for the old one: Authorization\./)).toBeTruthy();
    await user.click(await button("Remove Authorization"));
    expect(screen.queryByText(/given for the old one/)).toBeNull();
  });

  it("says that another host is not told as whom we sign in", async () => {
    const signIn = { clientId: "us", scopes: [], machine: false };
    const { user } = openPlace(new ServerDesk([aServer({ access: { caCertificates: [], signIn } })]));
    await user.click(await button(/^Edit/));
    const url = screen.getByLabelText(/^URL/);
    const says = () => screen.queryByText(/Saving forgets them/) !== null;
    await user.type(url, "/other");
    expect(says(), "the same host").toBe(false);
    await user.clear(url);
    expect(says(), "nobody knows where yet").toBe(false);
    await user.type(url, "https://elsewhere.example.com/mcp");
    expect(says(), "another host").toBe(true);
  });

  it("lists the roots it is told of, and shows them", async () => {
    const { desk, user } = openPlace(new ServerDesk([aServer({ roots: ["file:///srv/a"] })]));
    await screen.findByText("file:///srv/a");
    await user.click(await button(/^Edit/));
    const field = screen.getByLabelText(/^Roots/);
    expect((field as HTMLTextAreaElement).value).toBe("file:///srv/a");
    await user.type(field, "\n file:///srv/b \n\n");
    await user.click(await button("Save"));
    await screen.findByText("file:///srv/b");
    expect(desk.sent("set_roots")).toEqual([{ type: "set_roots", server: "s1", roots: ["file:///srv/a", "file:///srv/b"] }]);
  });
});

describe("a form that is left for another place", () => {
  const servers = () => [aServer({}), aServer({ id: "s2", name: "deploy" })];

  async function left() {
    const opened = await adding(new ServerDesk(servers()), true);
    const { user } = opened;
    await user.type(await field("Name"), "warehouse");
    await user.type(await field("URL"), "https://warehouse.example.com");
    await user.click(await button("Add a header"));
    await user.type(screen.getAllByLabelText("Name")[1] as HTMLElement, "Authorization");
    await user.type(await field("Value"), SECRET);
    act(() => openServer("s2"));
    await screen.findByRole("heading", { level: 1, name: "deploy" });
    return opened;
  }

  it("is found as it was, with its secrets", async () => {
    const { desk, user, submit } = await left();
    expect(JSON.stringify(localStorage)).not.toContain(SECRET);
    await user.click(await button("Add a server"));
    await screen.findByText("As you left it.");
    expect(screen.getAllByLabelText("Name").map((input) => (input as HTMLInputElement).value)).toEqual(["warehouse", "Authorization"]);
    expect(await field("Value")).toMatchObject({ type: "password", value: SECRET });
    await submit();
    await screen.findByRole("heading", { level: 1, name: "warehouse" });
    expect(desk.sent("add_server")).toMatchObject([{ name: "warehouse", transport: { headers: [["Authorization", { kind: "literal", value: SECRET }]] } }]);
    await user.click(await button("Add a server"));
    expect(await field("Name"), "what was sent is not kept").toHaveProperty("value", "");
  });

  it("is found also after the window showed another place", async () => {
    const { desk, user, unmount } = await left();
    unmount();
    openPlace(desk);
    await user.click(await button("Add a server"));
    expect(await field("URL")).toHaveProperty("value", "https://warehouse.example.com");
  });

  it("can be started over", async () => {
    const { user } = await left();
    await user.click(await button("Add a server"));
    await user.click(await button("Start over"));
    expect(await field("Name")).toHaveProperty("value", "");
    expect(screen.queryByLabelText("Value")).toBeNull();
    expect(screen.queryByText("As you left it.")).toBeNull();
  });

  it("is not kept where it was thrown away", async () => {
    const { user } = await left();
    await user.click(await button("Add a server"));
    await user.click(await button("Cancel"));
    await user.click(await button("Throw it away"));
    await user.click(await button("Add a server"));
    expect(await field("Name")).toHaveProperty("value", "");
  });

  it("is one for each server that is changed", async () => {
    const { user } = openPlace(new ServerDesk(servers()));
    await user.click(await button(/^Edit/));
    await user.type(await field("URL"), "/v2");
    act(() => openServer("s2"));
    await user.click(await button(/^Edit/));
    expect(await field("URL")).toHaveProperty("value", "https://ci.example.com/mcp");
    act(() => openServer("s1"));
    await user.click(await button(/^Edit/));
    expect(await field("URL")).toHaveProperty("value", "https://ci.example.com/mcp/v2");
  });
});
