import { screen } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { go, select } from "../../places/nav";
import type { Importable } from "../../types";
import { openPlace, ServerDesk } from "./samples";

const button = (name: string | RegExp) => screen.findByRole("button", { name });
const LAB: Importable = { name: "lab", place: "npx lab <b>", isProgram: true, given: [{ name: "KEY", var: "LAB_KEY" }], cwd: "/src/lab", from: "/home/me/.cursor/mcp.json" };
const BILLING: Importable = { name: "billing", place: "https://billing.example.com/mcp", isProgram: false, given: [], from: "/home/me/.claude.json" };

beforeEach(() => {
  go("servers");
  select({ server: null });
});

async function importing(desk: ServerDesk) {
  const { user } = openPlace(desk);
  await user.click(await button("Import…"));
  return user;
}

describe("taking servers over", () => {
  it("shows what other clients have, takes what was chosen and waits for consent", async () => {
    const desk = new ServerDesk([]);
    desk.importable = [LAB, BILLING];
    const user = await importing(desk);
    const program = await screen.findByRole("checkbox", { name: /lab/ });
    expect(program.closest("label")?.textContent, "text stays text").toContain("npx lab <b>");
    expect(program.closest("label")?.textContent).toContain("waits to be confirmed");
    expect(program.closest("label")?.textContent, "what it is given, and from where").toContain("is given KEY = $LAB_KEY");
    await user.click(screen.getByRole("checkbox", { name: /billing/ }));
    await user.click(await button("Import 1 server"));
    expect(await button("Confirm command")).toBeTruthy();
    expect(desk.commands, "a program is not checked: that would start it").toEqual([
      { type: "read_configurations" },
      { type: "import_servers", servers: [{ server: LAB, values: [] }] },
    ]);
  });

  it("reads what was pasted, and takes nothing that was not read", async () => {
    const desk = new ServerDesk([]);
    const user = await importing(desk);
    expect(await screen.findByText("Nothing was found that can be imported.")).toBeTruthy();
    const { from: _, ...pasted } = BILLING;
    desk.importable = [pasted];
    await user.click(screen.getByLabelText(/Configuration/));
    await user.paste("{ billing }");
    expect((await button("Import")).hasAttribute("disabled"), "it was not read yet").toBe(true);
    await user.click(await button("Read it"));
    await user.click(await button("Import 1 server"));
    expect(desk.sent("read_configurations")[1]).toEqual({ type: "read_configurations", text: "{ billing }" });
    expect(desk.sent("import_servers")).toEqual([{ type: "import_servers", servers: [{ server: pasted, values: [] }], text: "{ billing }" }]);
    expect(await button(/Check now/)).toBeTruthy();
    expect(desk.sent("check_server"), "nobody has said that it may be spoken to").toEqual([]);
  });

  it("says what cannot be taken over and why a text is none", async () => {
    const desk = new ServerDesk([]);
    desk.skipped = [
      { name: "asks", from: "/home/me/mcp.json", why: "its `env.KEY` holds ${input:key}", settled: false },
      { from: "/home/me/.claude.json", why: "it is not JSON", settled: false },
    ];
    const user = await importing(desk);
    expect(await screen.findByText("its `env.KEY` holds ${input:key}")).toBeTruthy();
    expect(screen.getByText("it is not JSON")).toBeTruthy();
    desk.refusals.set("read_configurations", { code: "usage", message: "Nothing can be imported from this", retry: "never" });
    await user.click(await button("Read it"));
    expect((await screen.findByRole("alert")).textContent).toContain("Nothing can be imported from this");
    await user.click(await button("Cancel"));
    expect(await screen.findByLabelText("Name"), "back to adding by hand").toBeTruthy();
  });

  it("says of each what it did, offers no more what was taken, and every value a way", async () => {
    const desk = new ServerDesk([]);
    const SECRETIVE: Importable = { name: "secretive", place: "npx it", isProgram: true, given: [{ name: "API_KEY" }, { name: "LOG" }, { name: "HOME" }] };
    desk.importable = [LAB, SECRETIVE, BILLING];
    desk.skipped = [{ name: "known", why: "it is registered already, as s7", settled: true }];
    desk.failing.set("secretive", { code: "no_keychain", message: "there is no keychain here", retry: "after_fix" });
    const user = await importing(desk);
    await user.click(await button("Import 3 servers"));
    expect((await screen.findByText("2 servers were imported. 1 was not imported. The reason is below.")).getAttribute("role")).toBe("status");
    expect(screen.getByRole("button", { name: "Open lab" })).toBeTruthy();
    expect(screen.getAllByRole("checkbox").length, "what was taken is not offered again").toBe(1);
    expect(screen.getByRole("alert").textContent).toContain("there is no keychain here");
    expect(screen.getByRole("alert").textContent, "and what can be done").toContain("leave the server out");
    expect(screen.getByText("it is registered already, as s7")).toBeTruthy();
    await user.click(await button("Choose where secrets are kept…"));
    expect(await screen.findByRole("dialog", { name: "Where to keep secrets" }), "in place, so that nothing chosen is lost").toBeTruthy();
    await user.click(await button("Cancel"));

    const becomes = (name: string) => screen.getByLabelText(`What becomes of ${name}`);
    await user.selectOptions(becomes("LOG"), "plain");
    await user.selectOptions(becomes("HOME"), "nothing");
    await user.selectOptions(becomes("API_KEY"), "plain");
    expect(await button("Import 1 server"), "it is named like a secret: a second word").toHaveProperty("disabled", true);
    await user.selectOptions(becomes("API_KEY"), "env");
    expect(screen.getByLabelText("Variable for API_KEY")).toHaveProperty("value", "API_KEY");
    desk.failing.clear();
    await user.click(await button("Import 1 server"));
    expect(await screen.findByText("3 servers were imported.")).toBeTruthy();
    expect(desk.sent("import_servers")[1]).toEqual({
      type: "import_servers",
      servers: [
        {
          server: SECRETIVE,
          values: [
            ["API_KEY", { kind: "env", var: "API_KEY" }],
            ["LOG", { kind: "plain", sure: false }],
            ["HOME", { kind: "nothing" }],
          ],
        },
      ],
    });
    await user.click(await button("Close"));
    expect(await button("Confirm command")).toBeTruthy();
  });
});

it("says what to choose where a secret cannot be kept", async () => {
  const desk = new ServerDesk([]);
  desk.importable = [{ ...LAB, given: [{ name: "KEY" }] }];
  desk.failing.set("lab", { code: "no_keychain", message: "there is no keychain here", retry: "after_fix" });
  const user = await importing(desk);
  await user.click(await button("Import 1 server"));
  const { textContent } = await screen.findByRole("alert");
  expect(textContent).toContain("there is no keychain here");
  expect(textContent).toContain("choose another place for secrets");
});

describe("an import that is left for another place", () => {
  const SECRETIVE: Importable = { name: "secretive", place: "npx it", isProgram: true, given: [{ name: "LOG" }] };

  async function left(desk: ServerDesk, choose: (user: Awaited<ReturnType<typeof importing>>) => Promise<void>) {
    desk.importable = [LAB, SECRETIVE];
    const { user, unmount } = openPlace(desk);
    await user.click(await button("Import…"));
    await screen.findByRole("checkbox", { name: /lab/ });
    await choose(user);
    unmount();
    openPlace(desk);
    await user.click(await button("Import…"));
    return user;
  }
  const choose = async (user: Awaited<ReturnType<typeof importing>>) => {
    await user.click(screen.getByRole("checkbox", { name: /lab/ }));
    await user.selectOptions(screen.getByLabelText("What becomes of LOG"), "plain");
  };

  it("is found as it was", async () => {
    const desk = new ServerDesk([]);
    const user = await left(desk, choose);
    expect(await screen.findByRole("checkbox", { name: /lab/ })).toHaveProperty("checked", false);
    expect(screen.getByLabelText("What becomes of LOG")).toHaveProperty("value", "plain");
    expect(screen.getByText(/^As you left it\./).textContent).not.toContain("Paste");
    await user.click(await button("Start over"));
    expect(await screen.findByRole("checkbox", { name: /lab/ })).toHaveProperty("checked", true);
  });

  it("has its text pasted again, as that may hold secrets, and then its choices", async () => {
    const desk = new ServerDesk([]);
    const user = await left(desk, async (user) => {
      await user.click(screen.getByLabelText(/Configuration/));
      await user.paste("{ it with a secret }");
      await user.click(await button("Read it"));
      await screen.findByRole("checkbox", { name: /lab/ });
      await choose(user);
    });
    expect((await screen.findByText(/^As you left it\./)).textContent).toContain("Paste the configuration again. It was not kept, because it may hold secrets.");
    expect(screen.getByLabelText(/Configuration/)).toHaveProperty("value", "");
    expect(desk.sent("read_configurations").length, "another text is not read in its place").toBe(2);
    await user.click(screen.getByLabelText(/Configuration/));
    await user.paste("{ it with a secret }");
    await user.click(await button("Read it"));
    expect(await screen.findByRole("checkbox", { name: /lab/ })).toHaveProperty("checked", false);
    expect(screen.getByLabelText("What becomes of LOG")).toHaveProperty("value", "plain");
  });

  it("opens as ever where nothing was chosen", async () => {
    await left(new ServerDesk([]), () => Promise.resolve());
    await screen.findByRole("checkbox", { name: /lab/ });
    expect(screen.queryByText(/^As you left it/)).toBeNull();
  });

  it("asks before what was chosen is thrown away", async () => {
    const desk = new ServerDesk([]);
    desk.importable = [LAB];
    const user = await importing(desk);
    await user.click(await screen.findByRole("checkbox", { name: /lab/ }));
    await user.click(await button("Cancel"));
    await user.click(await button("Throw it away"));
    await user.click(await button("Import…"));
    expect(await screen.findByRole("checkbox", { name: /lab/ })).toHaveProperty("checked", true);
  });
});

it("shows the value of a variable that changes what is run, and never makes a secret of it", async () => {
  const desk = new ServerDesk([]);
  const given = [{ name: "LD_PRELOAD", value: "/tmp/evil.so" }, { name: "KEY" }];
  desk.importable = [{ ...LAB, given }];
  const user = await importing(desk);
  expect(await screen.findByText("LD_PRELOAD = /tmp/evil.so")).toBeTruthy();
  expect(screen.getByText(/^LD_PRELOAD: this changes what the program loads or runs/)).toBeTruthy();
  const becomes = screen.getByLabelText("What becomes of LD_PRELOAD");
  expect(Array.from(becomes.querySelectorAll("option"), (option) => option.value)).toEqual(["env", "plain", "nothing"]);
  await user.click(await button("Import 1 server"));
  expect(desk.sent("import_servers")).toMatchObject([{ servers: [{ server: { given }, values: [["LD_PRELOAD", { kind: "plain", sure: false }]] }] }]);
});
