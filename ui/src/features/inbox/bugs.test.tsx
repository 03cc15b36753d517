import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { select } from "../../places/nav";
import { heading, open } from "./openInbox";
import { aDetail, aPage } from "./samples";

beforeEach(() => select({ request: null }));

// Each of these is a bug of another client, and must not be one of ours.
describe("a bug of other clients", () => {
  it("second of several requests hidden", async () => {
    open([aDetail({}, { siblings: ["r2"] }), aDetail({ id: "r2", message: "Which dataset version?" }, { siblings: ["r1"] })]);
    await heading(/^Approve/);
    expect(screen.getAllByRole("option").map((row) => row.textContent), "both are listed").toEqual([
      expect.stringContaining("Approve"),
      expect.stringContaining("Which dataset"),
    ]);
    act(() => select({ request: "r2" }));
    await heading(/^Which dataset/);
    expect(screen.getByLabelText("Yes"), "and each has its form").toBeTruthy();
  });

  it("stale request stays after the task ended", async () => {
    const { desk } = open([aDetail(), aDetail({ id: "r2", message: "Which dataset version?" })]);
    await heading(/^Approve/);
    act(() => desk.change("r1", (detail) => ({ ...detail, row: { ...detail.row, state: "closed", reason: "task_ended", closedAt: new Date().toISOString() } })));
    await waitFor(() => expect(screen.queryByRole("button", { name: /^Review and send/ })).toBeNull());
    await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(1));
    expect(screen.queryByLabelText("Yes"), "nothing is left to fill in").toBeNull();
    expect(screen.getByText(/The task ended before it took an answer/), "and it is said why").toBeTruthy();
  });

  it("closing a window counts as an answer", async () => {
    const { desk, user, unmount } = open([aDetail()]);
    await user.click(await screen.findByLabelText("Yes"));
    act(() => void window.dispatchEvent(new Event("pagehide")));
    unmount();
    await waitFor(() => expect(desk.sent("save_draft"), "what was typed is kept").not.toEqual([]));
    expect(desk.sent("answer")).toEqual([]);
    expect(desk.details.map(({ row }) => row.state)).toEqual(["open"]);
  });

  it("toast approves by itself", async () => {
    const { desk, user } = open([aDetail(), aDetail({ id: "r2", message: "Which dataset version?" })], undefined, {});
    await heading(/^Approve/);
    await user.keyboard("3");
    await heading(/^Which dataset/);
    const toast = within(await screen.findByRole("region", { name: "Your last answer" }));
    const [title, undo, ...more] = toast.getAllByRole("button");
    expect([title?.textContent, undo?.textContent, more.length], "it leads back, and takes back").toEqual([
      expect.stringContaining("Approve"),
      expect.stringContaining("Undo"),
      0,
    ]);
    if (title) await user.click(title);
    await heading(/^Approve/);
    expect(desk.sent("answer"), "a press on it answers nothing").toHaveLength(1);
    expect(desk.sent("answer")[0]).toMatchObject({ request: "r1", action: "decline" });
  });

  it("link preview approves", async () => {
    const url = aPage({ full: "https://signing.example.com/a?b=c", after: "/a?b=c" });
    const { desk, container } = open([aDetail({ mode: "url" }, { url, form: undefined, ways: { accept: "page", decline: "told", takeBack: false, putAway: false } })]);
    const shown = await screen.findByText(url.host, { selector: "strong" });
    for (const event of ["pointerOver", "mouseOver", "mouseMove", "contextMenu", "focus"] as const) fireEvent[event](shown);
    expect(container.querySelectorAll("a, img, iframe, link, object, embed"), "there is nothing that a preview could be made of").toHaveLength(0);
    expect([desk.pages, desk.opened, desk.sent("answer")]).toEqual([[], [], []]);
  });
});
