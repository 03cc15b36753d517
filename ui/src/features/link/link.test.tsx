import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import { App } from "../../app/App";
import { currentNav, go } from "../../places/nav";
import { showing, type SmallDesk } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, aServer } from "../../test/samples";
import type { ItemRef, Led } from "../../types";
import { led as standing, type Brought } from "./led";

const URL = "https://ci.example.com/mcp";

/** A window to which a link leads. */
async function led(led: Led) {
  const desk: SmallDesk = { overview: anOverview({ servers: [aServer()] }) };
  const host = new FakeHost(showing(desk), (command) =>
    command.type === "read_pasted"
      ? {
          type: "pasted",
          pasted: { kind: "url", servers: [{ name: "example", transport: { kind: "http", url: command.text, headers: [] }, notes: [] }], skipped: [] },
        }
      : { type: "done" },
  );
  renderWith(host, <App />);
  await screen.findByRole("button", { name: /^Servers/ });
  let wishes = 0;
  const wish = (more: { led?: Led; item?: ItemRef }) => {
    wishes += 1;
    desk.wish = { type: "forward", wish: wishes, ...more };
    act(() => host.touch());
  };
  wish({ led });
  return { host, wish, user: userEvent.setup({ delay: null }) };
}

/** A window to which a link brings this. */
async function brought(brings: Brought) {
  return { ...(await led(brings)), dialog: await screen.findByRole("dialog") };
}

const offer: Brought = { kind: "server", text: URL, name: "ci" };

describe("what a link brings", () => {
  beforeEach(() => {
    go("inbox");
    standing.set({ led: null });
  });

  it("is shown first, and left alone by Enter", async () => {
    const { host, user, dialog } = await brought(offer);
    expect(within(dialog).getByText("A link offers a server")).toBeTruthy();
    expect(dialog.textContent).toContain(URL);
    await user.keyboard("{Enter}");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(currentNav().place).toBe("inbox");
    expect(host.commands.map(({ type }) => type).filter((type) => /server|pasted|trust/.test(type)), "nothing was done").toEqual([]);
  });

  it("stands in the form once somebody wants that, and nothing is added", async () => {
    const { host, user } = await brought(offer);
    await user.click(screen.getByRole("button", { name: "Look at it in the form" }));
    expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "URL" })).value).toBe(URL);
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Name" }).value, "as the link would have it called").toBe("ci");
    expect(host.commands.some(({ type }) => type === "add_server")).toBe(false);
  });

  it("takes no half-filled form away", async () => {
    go("servers");
    const { user } = await brought(offer);
    await user.click(screen.getByRole("button", { name: "Leave it" }));
    await user.click(screen.getByRole("button", { name: "Add a server" }));
    await user.type(await screen.findByRole("textbox", { name: "URL" }), "https://mine.example.com");
    const { showLed } = await import("./led");
    act(() => showLed(offer));
    await user.click(await screen.findByRole("button", { name: "Look at it in the form" }));
    expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "URL" })).value).toBe("https://mine.example.com");
    expect(screen.getByText(URL, { ignore: "input" }), "what would take its place is seen").toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Replace it" }));
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "URL" }).value).toBe(URL);
  });

  it("leads to a place without a word", async () => {
    await led({ kind: "place", place: "tasks" });
    await waitFor(() => expect(currentNav().place).toBe("tasks"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("is told where it leads nowhere", async () => {
    const { dialog } = await brought({ kind: "nowhere", link: "signalbox://open/<script>alert(1)</script>", why: "it names neither a task nor a question" });
    expect(dialog.textContent).toContain("Nothing was done, because it names neither a task nor a question.");
    expect(dialog.textContent, "as text").toContain("<script>alert(1)</script>");
    expect(document.querySelector("script")).toBeNull();
  });

  const nowhere: Brought = { kind: "nowhere", link: "signalbox://nonsense", why: "it names nothing" };
  const shows: [string, { led?: Led; item?: ItemRef }][] = [
    ["a link to a place", { led: { kind: "place", place: "tasks" } }],
    ["a task", { item: { kind: "call", id: "t1" } }],
    ["a question", { item: { kind: "request", id: "r1" } }],
  ];

  it.each(shows)("and no more so over what is shown next: %s", async (_, next) => {
    const { wish } = await brought(nowhere);
    wish(next);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(document.activeElement?.closest("[data-pane]"), "the keys go there").toBeTruthy());
  });

  it("stays where the window merely comes forward", async () => {
    const { wish, dialog } = await brought(nowhere);
    wish({});
    expect(screen.getByRole("dialog")).toBe(dialog);
  });

  it.each(shows)("is still to be decided on where it is an offer, over %s", async (_, next) => {
    const { wish, dialog } = await brought(offer);
    wish(next);
    await waitFor(() => expect(currentNav().place).toBe(next.item?.kind === "request" ? "inbox" : "tasks"));
    expect(screen.getByRole("dialog")).toBe(dialog);
  });
});
