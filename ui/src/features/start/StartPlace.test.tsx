import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import { currentNav, openStart } from "../../app/nav";
import { DeskError } from "../../host/error";
import { showing } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, aServer } from "../../test/samples";
import type { Command, FieldError, Reply, ToolView } from "../../types";
import { StartPlace } from "./StartPlace";

const TOOL: ToolView = {
  name: "build",
  description: "Builds a <b>ref</b>.",
  form: {
    notes: [],
    fields: [
      {
        name: "ref",
        label: "Ref",
        required: true,
        nullable: false,
        kind: { type: "text", multiline: false },
      },
    ],
  },
  inputSchema: '{"type":"object"}',
  destructive: false,
};
const LINT: ToolView = { ...TOOL, name: "lint", description: "Looks for problems.", destructive: true };

function show(act: (command: Command) => Reply | undefined = () => undefined, overview = anOverview()) {
  const host = new FakeHost(showing({}), (command) => {
    const own = act(command);
    if (own) return own;
    if (command.type === "tools") return { type: "tools", tools: [TOOL, LINT] };
    if (command.type === "validate_arguments") return { type: "validated", errors: [] };
    if (command.type === "start") return { type: "started", call: "t7" };
    return { type: "done" };
  });
  renderWith(host, <StartPlace overview={overview} />);
  return host;
}

const started = (host: FakeHost) => host.commands.filter((command) => command.type === "start");

describe("starting a tool", () => {
  beforeEach(() => openStart());

  it("asks the server for its tools and sends what was filled in, then shows the task", async () => {
    const host = show();
    await userEvent.click(await screen.findByRole("option", { name: /build/ }));
    await userEvent.type(await screen.findByLabelText(/Ref/), "main");
    await userEvent.click(screen.getByRole("button", { name: /^Start/ }));
    await waitFor(() => expect(currentNav()).toMatchObject({ place: "tasks", task: "t7" }));
    expect(started(host)).toEqual([{ type: "start", server: "s1", tool: "build", arguments: '{"ref":"main"}' }]);
  });

  it("sends nothing when the desk finds that something does not fit, and says what", async () => {
    const wrong: FieldError = { field: "ref", path: "/ref", message: "Too short", code: "tooShort" };
    const host = show((command) => (command.type === "validate_arguments" ? { type: "validated", errors: [wrong] } : undefined));
    await userEvent.click(await screen.findByRole("option", { name: /build/ }));
    await userEvent.type(await screen.findByLabelText(/Ref/), "m");
    await userEvent.click(screen.getByRole("button", { name: /^Start/ }));
    expect(await screen.findByText("Too short")).toBeTruthy();
    expect(screen.getByLabelText(/Ref/).getAttribute("aria-invalid")).toBe("true");
    expect(started(host)).toEqual([]);
  });

  it("says why the start failed and keeps what was filled in", async () => {
    show((command) => {
      if (command.type === "start") throw new Error("connection refused");
      return undefined;
    });
    await userEvent.click(await screen.findByRole("option", { name: /build/ }));
    await userEvent.type(await screen.findByLabelText(/Ref/), "main");
    await userEvent.click(screen.getByRole("button", { name: /^Start/ }));
    expect((await screen.findByRole("alert")).textContent).toContain("connection refused");
    expect(screen.getByLabelText<HTMLInputElement>(/Ref/).value).toBe("main");
  });

  it("finds tools by any word of name and description", async () => {
    show();
    await screen.findByRole("option", { name: /build/ });
    await userEvent.type(screen.getByRole("searchbox"), "problems");
    expect(screen.queryByRole("option", { name: /build/ })).toBeNull();
    expect(screen.getByRole("option", { name: /lint/ })).toBeTruthy();
  });

  it("fills in the arguments of an earlier call, and says so", async () => {
    openStart({ server: "s1", tool: "build", arguments: '{"ref":"v2"}' });
    show();
    expect((await screen.findByLabelText<HTMLInputElement>(/Ref/)).value).toBe("v2");
    expect(screen.getByText(/arguments of an earlier call/)).toBeTruthy();
  });

  it("passes on a server's caution, and never its reassurance", async () => {
    openStart({ server: "s1", tool: "lint" });
    show();
    expect(await screen.findByText(/may destroy something/)).toBeTruthy();
  });

  it("shows why the tools cannot be had, and asks again", async () => {
    let down = true;
    show((command) => {
      if (command.type === "tools" && down) throw new DeskError({ code: "unreachable", message: "refused", retry: "later" });
      return undefined;
    });
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("The server cannot be reached");
    down = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("option", { name: /build/ })).toBeTruthy();
  });

  it("leads to the servers when there are none", async () => {
    show(undefined, anOverview({ servers: [aServer({ enabled: false })] }));
    await userEvent.click(screen.getByRole("button", { name: "Add a server" }));
    expect(currentNav().place).toBe("servers");
  });
});
