import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import { App } from "../../app/App";
import { DeskError } from "../../host/error";
import { currentNav, go, openInboxOf, select } from "../../places/nav";
import { showing } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, aServer } from "../../test/samples";
import type { ApiError, Importable, Overview } from "../../types";
import { resetGuide } from "./guide";

const EMPTY = anOverview({ servers: [] });
const DEMO = aServer({ id: "s1", name: "demo", demo: true, tasks: { needsYou: 0, working: 2, ended: 0 } });
const RUNNING = anOverview({ servers: [DEMO], tasks: DEMO.tasks });

function found(name: string, from: string): Importable {
  return { name, place: name, isProgram: true, given: [], from };
}

/** A desk on which nothing was ever done. */
class NewDesk extends FakeHost {
  overview: Overview = EMPTY;
  importable: Importable[] = [];
  refusal: ApiError | undefined;

  constructor() {
    super((view) => showing({ overview: this.overview })(view));
    this.act = (command) => {
      if (command.type === "read_configurations") return { type: "importable", servers: this.importable, skipped: [] };
      if (command.type !== "start_demo") return { type: "done" };
      if (this.refusal) throw new DeskError(this.refusal);
      this.overview = RUNNING;
      setTimeout(() => this.touch());
      return { type: "demo_started", server: DEMO, calls: ["t1", "t2"] };
    };
  }

  get starts(): number {
    return this.commands.filter((command) => command.type === "start_demo").length;
  }
}

function open(change: Partial<NewDesk> = {}) {
  const desk = Object.assign(new NewDesk(), change);
  renderWith(desk, <App />);
  return { desk, user: userEvent.setup({ delay: null }) };
}

const door = async (name: string) => within(await screen.findByRole("region", { name }));
const page = () => screen.findByRole("heading", { level: 1, name: "Long-running work, watched from one desk" });

beforeEach(() => {
  resetGuide();
  go("inbox");
  select({ task: null, request: null, server: null });
});

describe("the first page", () => {
  it("says what this is and offers three doors, and nothing is run for it", async () => {
    const { desk } = open({ importable: [found("ci", "/a"), found("db", "/a"), found("wiki", "/b")] });
    await page();
    await door("Try it with the demo");
    await door("Add a server");
    await (await door("Bring your servers")).findByText(/^3 servers in 2 configurations of other programs.*Nothing runs before you confirm it/);
    expect(screen.getByText(/^Nothing leaves this machine except the requests to your servers/)).toBeTruthy();
    const acts = desk.commands.map((command) => command.type).filter((type) => type !== "set_front");
    expect(acts, "reading configurations is all that is done unasked").toEqual(["read_configurations"]);
  });

  it("starts the demo with Enter, and shows where its question will be", async () => {
    const { desk, user } = open();
    await page();
    act(() => openInboxOf("s9"));
    await waitFor(() => expect(document.activeElement?.textContent).toContain("Start the demo"));
    await user.keyboard("{Enter}");
    expect(await screen.findByText("The demo is at work")).toBeTruthy();
    expect(screen.queryByRole("heading", { level: 1, name: /watched from one desk/ }), "the page has done its work").toBeNull();
    expect(desk.starts).toBe(1);
    expect(currentNav(), "its question is not hidden").toMatchObject({ place: "inbox", only: { inbox: null } });
  });

  it("names Enter only where it starts the demo, and brings the focus there", async () => {
    const { desk, user } = open();
    await page();
    const start = await screen.findByRole("button", { name: /Start the demo/ });
    const promised = () => within(start).queryByText("Enter")?.closest("[aria-hidden=true]") === null;
    await waitFor(() => expect(document.activeElement).toBe(start));
    expect(promised()).toBe(true);
    for (const other of ["Tasks", "Open the form"]) {
      act(() => screen.getByRole("button", { name: other }).focus());
      expect(promised(), `${other} takes Enter`).toBe(false);
    }
    act(() => (document.activeElement as HTMLElement).blur());
    expect(promised()).toBe(true);
    await user.click(screen.getByRole("button", { name: "Tasks" }));
    await user.click(screen.getByRole("button", { name: "Inbox" }));
    await waitFor(() => expect(document.activeElement?.textContent, "whoever comes here has it").toContain("Start the demo"));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(desk.starts).toBe(1));
  });

  it("starts the demo with Enter also when nothing has the focus", async () => {
    const { desk, user } = open();
    await page();
    (document.activeElement as HTMLElement).blur();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(desk.starts).toBe(1));
  });

  it("starts the demo by mouse, once", async () => {
    const { desk, user } = open();
    const start = await screen.findByRole("button", { name: /Start the demo/ });
    await user.dblClick(start);
    expect(await screen.findByText("The demo is at work")).toBeTruthy();
    expect(desk.starts, "a double click is one wish").toBe(1);
  });

  it("says why the demo does not start, and can be pressed again", async () => {
    const { desk, user } = open({ refusal: { code: "spawn_failed", message: "no program", retry: "after_fix" } });
    await user.click(await screen.findByRole("button", { name: /Start the demo/ }));
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("The demo did not start");
    expect(alert.textContent).toContain("no program");
    desk.refusal = undefined;
    await user.click(screen.getByRole("button", { name: /Start the demo/ }));
    expect(await screen.findByText("The demo is at work")).toBeTruthy();
  });

  it("leads to the import and to the form", async () => {
    const { user } = open({ importable: [found("ci", "/a")] });
    await user.click(await (await door("Bring your servers")).findByRole("button", { name: "Choose servers" }));
    expect(await screen.findByRole("region", { name: "Import servers" })).toBeTruthy();
    act(() => go("inbox"));
    await user.click((await door("Add a server")).getByRole("button", { name: "Open the form" }));
    expect(await screen.findByRole("region", { name: "Add a server" })).toBeTruthy();
  });

  it("takes a paste to the form, filled in and not registered; several to be chosen from", async () => {
    const lab = { name: "lab", transport: { kind: "http" as const, url: "https://lab.example.com/mcp", headers: [] }, notes: [] };
    const { desk, user } = open();
    desk.act = (command) =>
      command.type === "read_pasted"
        ? { type: "pasted", pasted: { kind: "url", servers: [lab], skipped: [] } }
        : { type: "importable", servers: [], skipped: [] };
    await user.type((await door("Add a server")).getByLabelText("Paste anything"), "https://lab.example.com/mcp{Enter}");
    expect((await screen.findByLabelText<HTMLInputElement>("URL")).value).toBe("https://lab.example.com/mcp");
    expect(desk.commands.some((command) => command.type === "add_server"), "that takes another press").toBe(false);

    act(() => go("inbox"));
    desk.act = (command) =>
      command.type === "read_pasted"
        ? { type: "pasted", pasted: { kind: "json", servers: [lab, { ...lab, name: "two" }], skipped: [] } }
        : { type: "importable", servers: [], skipped: [] };
    await user.type((await door("Add a server")).getByLabelText("Paste anything"), "two{Enter}");
    await screen.findByRole("region", { name: "Import servers" });
    await waitFor(() => expect(desk.commands).toContainEqual({ type: "read_configurations", text: "two" }));
  });

  it("offers a field for a configuration where nothing is found", async () => {
    open();
    const bring = await door("Bring your servers");
    expect(await bring.findByRole("button", { name: "Paste a configuration" })).toBeTruthy();
    expect(bring.getByText(/^No servers were found in the configurations/)).toBeTruthy();
  });

  it("is for an empty desk alone", async () => {
    open({ overview: anOverview({ servers: [], tasks: { needsYou: 0, working: 0, ended: 1 } }) });
    expect(await screen.findByText("Nothing needs you")).toBeTruthy();
    expect(screen.queryByText(/watched from one desk/), "something was done here before").toBeNull();
  });
});
