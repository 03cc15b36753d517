import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { listenForKeys } from "../../actions/keys";
import { DeskError } from "../../host/error";
import { currentNav, go, openStart, pickTool } from "../../places/nav";
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

/** The place once more, in the same window. */
function again(host = new FakeHost(showing({}), (command) => {
  if (command.type === "tools") return { type: "tools", tools: [TOOL, LINT] };
  if (command.type === "validate_arguments") return { type: "validated", errors: [] };
  return command.type === "start" ? { type: "started", call: "t7" } : { type: "done" };
})) {
  renderWith(host, <StartPlace overview={anOverview()} />);
  return { host };
}

const started = (host: FakeHost) => host.commands.filter((command) => command.type === "start");

describe("starting a tool", () => {
  let stop: () => void;
  afterEach(() => stop());
  beforeEach(() => {
    stop = listenForKeys(window);
    go("tasks");
    openStart({});
  });

  it("asks the server for its tools and sends what was filled in, then shows the task", async () => {
    const host = show();
    await userEvent.click(await screen.findByRole("option", { name: /build/ }));
    await userEvent.type(await screen.findByLabelText(/Ref/), "main");
    await userEvent.click(screen.getByRole("button", { name: /^Start/ }));
    await waitFor(() => expect(currentNav()).toMatchObject({ place: "tasks", task: "t7" }));
    expect(started(host)).toEqual([{ type: "start", server: "s1", tool: "build", arguments: '{"ref":"main"}' }]);
  });

  it("starts nothing at another server than was wished for, though that has a tool of the same name", async () => {
    openStart({ server: "s9", tool: "build", arguments: '{"ref":"main"}' });
    show();
    await screen.findByRole("option", { name: /build/ });
    expect(screen.queryByLabelText(/Ref/), "a task's server is gone or switched off").toBeNull();
  });

  it("shows two tools of one name as two, and neither once it is not looked for", async () => {
    const twice = { ...TOOL, description: "Builds a tag." };
    show((command) => (command.type === "tools" ? { type: "tools", tools: [TOOL, twice, LINT] } : undefined));
    const search = await screen.findByRole("searchbox", { name: "Search tools" });
    const shown = () => within(screen.getByRole("listbox", { name: "Tools" })).getAllByRole("option").map((option) => option.textContent);
    await userEvent.type(search, "buil");
    expect(shown()).toEqual(["build Builds a <b>ref</b>.", "build Builds a tag."]);
    await userEvent.clear(search);
    await userEvent.type(search, "lint");
    expect(shown()).toEqual(["lint Looks for problems."]);
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

  it("goes on from the search into the list, and from there into the form", async () => {
    show();
    await screen.findByRole("option", { name: /build/ });
    expect(screen.getByText("2 tools")).toBeTruthy();
    await userEvent.type(screen.getByRole("searchbox"), "lint");
    expect(screen.getByText("1 of 2")).toBeTruthy();
    await userEvent.keyboard("{Enter}");
    const list = screen.getByRole("listbox", { name: "Tools" });
    expect(document.activeElement).toBe(list);
    expect(screen.getByRole("option", { name: /lint/ }).getAttribute("aria-selected"), "the first that matches").toBe("true");
    await screen.findByLabelText(/Ref/);
    expect(document.activeElement, "to go through the list opens no form").toBe(list);
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/Ref/)));
    await userEvent.keyboard("{Escape}");
    expect(document.activeElement, "Escape leaves the field, not the window").toBe(screen.getByRole("region", { name: "Start a tool" }));
  });

  it("begins in the first field of a tool that is pressed or asked for", async () => {
    show();
    await userEvent.click(await screen.findByRole("option", { name: /build/ }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/Ref/)));
    act(() => openStart({ server: "s1", tool: "lint" }));
    await screen.findByRole("heading", { name: "lint" });
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/Ref/)));
  });

  it("shows no form beside a list that does not have its tool, and keeps what was typed", async () => {
    show();
    await userEvent.click(await screen.findByRole("option", { name: /build/ }));
    await userEvent.type(await screen.findByLabelText(/Ref/), "main");
    await userEvent.type(screen.getByRole("searchbox"), "problems");
    expect(screen.queryByLabelText(/Ref/)).toBeNull();
    await userEvent.clear(screen.getByRole("searchbox"));
    expect((await screen.findByLabelText<HTMLInputElement>(/Ref/)).value).toBe("main");
  });

  it("keeps a form that was left until it is started over or sent", async () => {
    const { host } = again();
    await userEvent.click(await screen.findByRole("option", { name: /build/ }));
    await userEvent.type(await screen.findByLabelText(/Ref/), "main");
    expect(screen.queryByText("As you left it.")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: /Back/ }));
    expect(currentNav().place).toBe("tasks");

    cleanup();
    act(() => openStart());
    again(host);
    expect((await screen.findByLabelText<HTMLInputElement>(/Ref/)).value).toBe("main");
    expect(screen.getByText("As you left it.")).toBeTruthy();
    await userEvent.click(screen.getByRole("option", { name: /lint/ }));
    await userEvent.click(screen.getByRole("option", { name: /build/ }));
    expect((await screen.findByLabelText<HTMLInputElement>(/Ref/)).value, "another tool in between").toBe("main");
    await userEvent.click(screen.getByRole("button", { name: "Start over" }));
    expect(screen.getByLabelText<HTMLInputElement>(/Ref/).value).toBe("");
    expect(screen.queryByText("As you left it.")).toBeNull();

    await userEvent.type(screen.getByLabelText(/Ref/), "v2");
    await userEvent.click(screen.getByRole("button", { name: /^Start ?Ctrl/ }));
    await waitFor(() => expect(currentNav().place).toBe("tasks"));
    cleanup();
    act(() => openStart());
    again(host);
    await userEvent.click(await screen.findByRole("option", { name: /build/ }));
    expect((await screen.findByLabelText<HTMLInputElement>(/Ref/)).value, "what was sent is done with").toBe("");
  });

  it("keeps the forms that were typed in last", async () => {
    const tools = Array.from({ length: 33 }, (_, n): ToolView => ({ ...TOOL, name: `tool${n}` }));
    const host = new FakeHost(showing({}), (command) => (command.type === "tools" ? { type: "tools", tools } : { type: "done" }));
    renderWith(host, <StartPlace overview={anOverview()} />);
    const left = async (n: number) => {
      act(() => pickTool("s1", `tool${n}`));
      return screen.findByLabelText<HTMLInputElement>(/Ref/);
    };
    for (const n of tools.keys()) fireEvent.change(await left(n), { target: { value: String(n) } });
    expect((await left(1)).value, "32 of them").toBe("1");
    expect((await left(0)).value, "the oldest has gone").toBe("");
  });

  it.each(["tasks", "servers", "inbox"] as const)("leads back to where it was opened: %s", async (place) => {
    go(place);
    openStart({ server: "s1", tool: "build" });
    show();
    await userEvent.click(await screen.findByRole("button", { name: /Back/ }));
    expect(currentNav().place).toBe(place);
  });

  it("fills in the arguments of an earlier call, and says so", async () => {
    openStart({ server: "s1", tool: "build", arguments: '{"ref":"v2"}' });
    show();
    expect((await screen.findByLabelText<HTMLInputElement>(/Ref/)).value).toBe("v2");
    expect(screen.getByText(/arguments of an earlier call/)).toBeTruthy();
  });

  it.each<[string, string, (field: HTMLInputElement) => Promise<void>]>([
    ["as they were", "v2", () => Promise.resolve()],
    ["as they were changed", "v3", (field) => userEvent.type(field, "{Backspace}3")],
  ])("runs a tool again with the arguments of an earlier call, %s", async (_, ref, edit) => {
    openStart({ server: "s1", tool: "build", arguments: '{"ref":"v2"}' });
    const host = show();
    await edit(await screen.findByLabelText<HTMLInputElement>(/Ref/));
    await userEvent.click(screen.getByRole("button", { name: /^Start/ }));
    await waitFor(() => expect(started(host)).toEqual([{ type: "start", server: "s1", tool: "build", arguments: JSON.stringify({ ref }) }]));
    await waitFor(() => expect(currentNav(), "its task is shown").toMatchObject({ place: "tasks", task: "t7" }));
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
