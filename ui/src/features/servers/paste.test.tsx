import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { go, select } from "../../places/nav";
import type { NewSecret, NewTransport, Pasted, PastedServer } from "../../types";
import { EMPTY_DRAFT } from "./draft";
import { filledIn, isInTheWay } from "./paste";
import { openPlace, ServerDesk } from "./samples";

const SECRET = "s3cr3t-t0ken";
const button = (name: string | RegExp) => screen.findByRole("button", { name });
const field = (name: string | RegExp) => screen.findByLabelText(name);
const nameField = async () => (await screen.findAllByRole("textbox", { name: "Name" }))[0] as HTMLInputElement;
const PROGRAM: NewTransport = {
  kind: "stdio",
  command: "npx",
  args: ["-y", "two words"],
  env: [
    ["API_KEY", { kind: "literal", value: SECRET }],
    ["TEAM", { kind: "reference", secret: { kind: "env", var: "MY_TEAM" } }],
  ],
};
const one = (transport: NewTransport, notes: string[] = []): Pasted => ({ kind: "client", servers: [{ name: "lab", transport, notes }], skipped: [] });

beforeEach(() => {
  go("servers");
  select({ server: null });
});

async function pasting(pasted: Pasted) {
  const desk = new ServerDesk([]);
  desk.pasted = pasted;
  const opened = openPlace(desk);
  const paste = async (text = "claude mcp add …") => {
    await opened.user.click(await field("Paste anything"));
    await opened.user.paste(text);
  };
  await nameField();
  return { ...opened, paste };
}

describe("pasting a server", () => {
  it("fills in the form, sends nothing, and asks before it is run", async () => {
    const { desk, user, paste, container } = await pasting(one(PROGRAM, ["`-s user` is left out <b>"]));
    await paste();
    expect((await screen.findByText(/another client's command/)).textContent).toContain("you are asked whether this program may be started");
    expect(screen.getByText("`-s user` is left out <b>"), "text stays text").toBeTruthy();
    expect(await nameField()).toHaveProperty("value", "lab");
    expect(await field("Program")).toHaveProperty("value", "npx");
    expect(await field(/^Arguments/)).toHaveProperty("value", "-y\ntwo words");
    expect(await field("Value")).toMatchObject({ type: "password", value: SECRET });
    expect(await field("Paste anything"), "what was read is not kept there").toHaveProperty("value", "");
    expect(new XMLSerializer().serializeToString(container), "not in any attribute").not.toContain(SECRET);
    expect(desk.commands.map(({ type }) => type)).toEqual(["read_pasted"]);

    await user.click(await button("Add and check"));
    expect(await screen.findByRole("dialog", { name: "May lab be started?" })).toBeTruthy();
    expect(desk.sent("add_server")).toEqual([{ type: "add_server", name: "lab", transport: PROGRAM, untrusted: true }]);
    expect(desk.sent("check_server"), "nobody has confirmed it").toEqual([]);
    await user.click(await button("Confirm and check"));
    await waitFor(() => expect(desk.sent("check_server").length).toBe(1));
  });

  it("loses nothing that was typed by hand", async () => {
    const { user, paste } = await pasting(one(PROGRAM));
    await user.type(await nameField(), "mine");
    await user.click(await screen.findByRole("tab", { name: "A program here" }));
    await user.type(await field("Program"), "typed");
    await paste();
    const replaces = await screen.findByText(/replaces the program and arguments/);
    expect(replaces.closest("[role=status]")?.textContent, "nobody can choose between what they do not see").toContain("npx");
    expect(await field("Program")).toHaveProperty("value", "typed");
    await user.click(await button("Leave them"));
    expect(await field("Program")).toHaveProperty("value", "typed");
    await paste();
    await user.click(await button("Replace them"));
    expect(await field("Program")).toHaveProperty("value", "npx");
    expect(await nameField(), "the name is the person's").toHaveProperty("value", "mine");
  });

  it("goes on from what is said of it, and into the form", async () => {
    const { user, paste } = await pasting(one(PROGRAM));
    await user.type(await field("Paste anything"), "npx lab");
    await user.click(await button("Read it"));
    const note = (await screen.findByText(/It is filled in below/)).closest("[role=status]");
    expect(document.activeElement).toBe(note);
    await user.tab();
    expect(document.activeElement).toBe(await nameField());
    await user.clear(await field("Program"));
    await user.type(await field("Program"), "typed");
    await paste();
    await user.click(await button("Leave them"));
    expect(document.activeElement, "back in the form").toBe(await nameField());
    await paste();
    await user.click(await button("Replace them"));
    expect(document.activeElement?.textContent).toContain("It is filled in below");
  });

  it("adds nothing before it is said whether it replaces what stands there, and is not lost meanwhile", async () => {
    const { desk, user, paste, unmount } = await pasting(one({ kind: "http", url: "https://new.example/mcp", headers: [] }));
    await user.type(await nameField(), "mine");
    await user.type(await field("URL"), "https://old.example/mcp");
    await paste();
    const note = (await screen.findByText(/replaces the URL below/)).closest("[role=status]");
    expect(note?.textContent, "nobody can choose between what they do not see").toContain("https://new.example/mcp");
    expect(await button("Add and check")).toHaveProperty("disabled", true);
    await screen.findByText(/^Choose first/);
    await user.click(await screen.findByRole("tab", { name: "A program here" }));
    await screen.findByText(/replaces the URL that stands under “Over the network”/);
    unmount();
    openPlace(desk);
    await screen.findByText("As you left it.");
    await user.click(await button("Replace it"));
    expect(await field("URL")).toHaveProperty("value", "https://new.example/mcp");
    expect(desk.sent("add_server")).toEqual([]);
    await user.click(await button("Add and check"));
    await waitFor(() => expect(desk.sent("add_server")).toMatchObject([{ transport: { url: "https://new.example/mcp" } }]));
  });

  it("says beside the field what it cannot read, and keeps it there", async () => {
    const { desk, user, paste } = await pasting(one(PROGRAM));
    desk.refusals.set("read_pasted", { code: "usage", message: "A quote in this is opened and not closed", retry: "never" });
    await paste("npx 'x");
    expect((await screen.findByRole("alert")).textContent).toContain("A quote in this is opened");
    expect(await field("Paste anything")).toHaveProperty("value", "npx 'x");
    await user.type(await field("Paste anything"), "'");
    expect(screen.queryByRole("alert"), "it is another text by now").toBeNull();
  });

  it("is still no consent in a form that was left and is found again", async () => {
    const { desk, user, paste, unmount } = await pasting(one(PROGRAM));
    await paste();
    await field("Program");
    unmount();
    openPlace(desk);
    await screen.findByText("As you left it.");
    expect(await field("Value")).toHaveProperty("value", SECRET);
    await user.click(await button("Add and check"));
    await waitFor(() => expect(desk.sent("add_server")).toMatchObject([{ transport: PROGRAM, untrusted: true }]));
  });

  it("says nothing more of an earlier paste beside one that it cannot read", async () => {
    const { desk, paste } = await pasting(one(PROGRAM));
    await paste();
    await screen.findByText(/It is filled in below/);
    desk.refusals.set("read_pasted", { code: "usage", message: "A quote in this is opened and not closed", retry: "never" });
    await paste("npx 'x");
    await screen.findByRole("alert");
    expect(screen.queryByText(/It is filled in below/)).toBeNull();
    expect(await field("Program"), "what stands in the form stays").toHaveProperty("value", "npx");
  });

  it("hands several on to Import", async () => {
    const several = one(PROGRAM);
    const { desk, paste } = await pasting({ ...several, kind: "json", servers: [...several.servers, ...several.servers] });
    await paste("{ two }");
    expect(await field(/Configuration/)).toHaveProperty("value", "{ two }");
    expect(desk.sent("read_configurations")).toEqual([{ type: "read_configurations", text: "{ two }" }]);
  });

  it("splits a command line in Program, which is typed and so consent", async () => {
    const { desk, user } = await pasting({ ...one(PROGRAM), kind: "command" });
    await user.click(await screen.findByRole("tab", { name: "A program here" }));
    await user.type(await field("Program"), "npx -y 'two words'");
    await user.click(await button("Split into program and arguments"));
    await waitFor(async () => expect(await field("Program")).toHaveProperty("value", "npx"));
    expect(desk.sent("read_pasted")).toEqual([{ type: "read_pasted", text: "npx -y 'two words'" }]);
    expect(screen.queryByText(/you are asked/)).toBeNull();
    await user.click(await button("Add and check"));
    await waitFor(() => expect(desk.sent("add_server").length).toBe(1));
    expect(desk.sent("add_server")[0]).not.toHaveProperty("untrusted");
  });

  it.each(["client", "json"] as const)("asks before it runs what %s in Program names: nobody types that", async (kind) => {
    const { desk, user } = await pasting({ ...one(PROGRAM), kind });
    await user.click(await screen.findByRole("tab", { name: "A program here" }));
    await user.type(await field("Program"), "claude mcp add-json lab '{{}'");
    await user.click(await button("Split into program and arguments"));
    expect(await screen.findByText(/you are asked/)).toBeTruthy();
    await user.click(await button("Add and check"));
    expect(await screen.findByRole("dialog", { name: "May lab be started?" })).toBeTruthy();
    expect(desk.sent("add_server")[0]).toHaveProperty("untrusted", true);
    expect(desk.sent("check_server")).toEqual([]);
  });

  it("makes nothing typed of what was pasted by splitting it", async () => {
    const { desk, user, paste } = await pasting(one({ kind: "stdio", command: "npx -y lab", args: [], env: [] }));
    await paste();
    expect(await field("Program")).toHaveProperty("value", "npx -y lab");
    desk.pasted = { ...one(PROGRAM), kind: "command" };
    await user.click(await button("Split into program and arguments"));
    await waitFor(async () => expect(await field("Program")).toHaveProperty("value", "npx"));
    await user.click(await button("Add and check"));
    await waitFor(() => expect(desk.sent("add_server")[0]).toHaveProperty("untrusted", true));
  });
});

describe("filling in", () => {
  const server = (transport: NewTransport): PastedServer => ({ name: "lab", transport, notes: [] });
  const typed = { id: 3, name: "MINE", source: "literal" as const, where: "" };

  it("keeps lines of other names and gives every line an id of its own", () => {
    const draft = { ...EMPTY_DRAFT, headers: [{ ...typed, id: 7 }], env: [typed, { ...typed, id: 4, name: "TEAM" }] };
    const { draft: filled, literals } = filledIn(draft, server(PROGRAM), false);
    expect(filled.env.map(({ name }) => name)).toEqual(["MINE", "API_KEY", "TEAM"]);
    expect(new Set([...filled.env, ...filled.headers].map(({ id }) => id)).size).toBe(4);
    expect([...literals.values()]).toEqual([SECRET]);
    expect(JSON.stringify(filled), "no literal is in the draft").not.toContain(SECRET);
  });

  it("fills in what changes what is run in the clear", () => {
    const env: [string, NewSecret][] = [["NODE_OPTIONS", { kind: "plain", value: "--require ./x" }]];
    const { draft, literals } = filledIn(EMPTY_DRAFT, server({ kind: "stdio", command: "npx", args: [], env }), false);
    expect(draft.env).toMatchObject([{ name: "NODE_OPTIONS", source: "plain", plain: "--require ./x" }]);
    expect(literals.size).toBe(0);
  });

  it.each([
    [EMPTY_DRAFT, false],
    [{ ...EMPTY_DRAFT, url: "https://typed.example.com" }, false],
    [{ ...EMPTY_DRAFT, command: " npx " }, false],
    [{ ...EMPTY_DRAFT, command: "other" }, true],
    [{ ...EMPTY_DRAFT, args: "other" }, true],
    [{ ...EMPTY_DRAFT, cwd: "/srv" }, true],
  ])("sees whether something stands in the way: %o", (draft, is) => {
    expect(isInTheWay(draft, server(PROGRAM))).toBe(is);
  });
});
