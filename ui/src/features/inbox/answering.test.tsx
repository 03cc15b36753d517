import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { DeskError } from "../../host/error";
import { select } from "../../places/nav";
import { heading, open } from "./openInbox";
import { aDetail, sent } from "./samples";

const asked = aDetail();
const other = aDetail({ id: "r2", message: "Which dataset version?" });
const two = () => [asked, other];

beforeEach(() => select({ request: null }));

describe("answering a form", () => {
  it("reviews the very text that is sent, holds it, and shows it afterwards", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.type(screen.getByLabelText(/^Limit/), "12345678901234567890");
    await user.keyboard("{Control>}{Enter}{/Control}");
    const dialog = await screen.findByRole("dialog", { name: "Send this answer?" });
    const content = '{"approved":true,"limit":12345678901234567890}';
    const shown = within(dialog).getByRole("figure", { name: "Content that is sent" }).querySelector("pre")?.textContent;
    expect(shown?.replaceAll(/\s/g, ""), "the review shows the server's own shape, which the desk made").toBe(sent("accept", content));
    expect(desk.sent("answer"), "nothing goes out before it was seen").toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() =>
      expect(desk.sent("answer")).toEqual([{ type: "answer", request: "r1", action: "accept", content, holdMs: 5_000, asks: asked.asks }]),
    );
    await screen.findByText(/^Sending in/);
    expect(screen.getByText("accepted by you")).toBeTruthy();
    expect(screen.getByRole("heading", { level: 1 }).textContent, "nothing jumps by itself").toBe("Approve deployment to production?");
  });

  it("leaves a field with Escape, so that the plain keys work again", async () => {
    const { user } = open(two());
    await user.type(await screen.findByLabelText(/^Limit/), "7n{Escape}n");
    await heading(/^Which/);
  });

  it("is not sent by the key that opened the review and is still held", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    const dialog = await screen.findByRole("dialog");
    fireEvent.keyDown(dialog, { key: "Enter", repeat: true });
    fireEvent.keyDown(within(dialog).getByRole("button", { name: /^Send/ }), { key: "Enter", repeat: true });
    expect(desk.sent("answer")).toEqual([]);
  });

  it("can be taken back while it is held, with all that was filled in", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("No"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    await user.keyboard("{Enter}");
    await screen.findByText(/^Sending in/);
    await user.keyboard("u");
    expect(await screen.findByLabelText("No")).toHaveProperty("checked", true);
    expect(desk.sent("undo")).toMatchObject([{ type: "undo", request: "r1" }]);
  });

  it("shows what does not fit at its field, goes there, and sends nothing", async () => {
    const { desk, user } = open(two());
    desk.misfits = [{ field: "limit", path: "/limit", code: "tooLarge", message: "At most 5" }];
    await user.click(await screen.findByLabelText("Yes"));
    await user.type(screen.getByLabelText(/^Limit/), "7");
    await user.click(screen.getByRole("button", { name: /^Review and send/ }));
    await screen.findByText("At most 5");
    expect(screen.getByText("1 value does not fit. Nothing was sent.").className, "it is seen, not only heard").not.toContain("unseen");
    const limit = screen.getByLabelText(/^Limit/);
    expect(document.activeElement).toBe(limit);
    expect(limit.getAttribute("aria-invalid")).toBe("true");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(desk.sent("answer")).toEqual([]);
    await user.type(limit, "{Backspace}5");
    expect(screen.queryByText("At most 5"), "a field that changed is not wrong any more until it is checked again").toBeNull();
  });

  it("says what does not fit when a field is left, never while it is typed into, and keeps it true after that", async () => {
    const { desk, user } = open(two());
    const limit = await screen.findByLabelText(/^Limit/);
    desk.misfits = [
      { field: "approved", path: "/approved", code: "required", message: "Required" },
      { field: "limit", path: "/limit", code: "tooLarge", message: "At most 5" },
    ];
    await user.type(limit, "7");
    await screen.findByText(/^Draft saved/);
    expect(desk.sent("validate"), "nothing is judged that is being typed").toEqual([]);
    await user.tab();
    const error = await screen.findByText("At most 5");
    expect(limit.getAttribute("aria-invalid")).toBe("true");
    expect(limit.getAttribute("aria-describedby")?.split(" "), "it is tied to its field").toContain(error.parentElement?.id);
    expect(screen.queryByText("Required"), "a field that nobody was at is not complained of").toBeNull();
    expect(screen.queryByText(/Nothing was sent/), "nobody sent anything").toBeNull();
    await user.type(limit, "{Backspace}4");
    expect(screen.queryByText("At most 5")).toBeNull();
    await user.type(limit, "4");
    await screen.findByText("At most 5");
    expect(document.activeElement, "it changes by itself now").toBe(limit);
  });

  it("complains of a field that was emptied again when it is left", async () => {
    const { desk, user } = open(two());
    const limit = await screen.findByLabelText(/^Limit/);
    desk.misfits = [{ field: "limit", path: "/limit", code: "required", message: "Required" }];
    await user.type(limit, "7{Backspace}");
    await user.tab();
    await screen.findByText("Required");
  });

  it("keeps the summary of what does not fit in sight beside the buttons, each with the way to its field", async () => {
    const { desk, user } = open(two());
    desk.misfits = [
      { field: "approved", path: "/approved", code: "required", message: "Required" },
      { field: "limit", path: "/limit", code: "tooLarge", message: "At most 5" },
    ];
    await user.type(await screen.findByLabelText(/^Limit/), "7");
    await user.click(screen.getByRole("button", { name: /^Review and send/ }));
    const summary = (await screen.findByText("2 values do not fit. Nothing was sent.")).parentElement ?? document.body;
    expect(summary.closest("[data-pane-body]"), "it does not scroll away with the form").toBeNull();
    await user.click(within(summary).getByRole("button", { name: "Limit: At most 5" }));
    expect(document.activeElement).toBe(screen.getByLabelText(/^Limit/));
    await user.click(within(summary).getByRole("button", { name: "Approved: Required" }));
    expect(document.activeElement).toBe(screen.getByLabelText("Yes"));
    desk.misfits = [];
    await user.click(screen.getByLabelText("Yes"));
    await user.type(screen.getByLabelText(/^Limit/), "{Backspace}5");
    expect(screen.queryByText(/Nothing was sent/), "it goes with the last misfit").toBeNull();
  });

  it("does not even ask the desk to send what is no number", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.type(screen.getByLabelText(/^Limit/), "many");
    await user.click(screen.getByRole("button", { name: /^Review and send/ }));
    await screen.findByText(/^Not a number/);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(desk.sent("answer")).toEqual([]);
  });

  it("keeps decline and dismiss apart, and sends no content with either", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("3");
    await screen.findByText("declined by you");
    act(() => select({ request: "r2" }));
    await heading(/^Which/);
    await user.click(screen.getByRole("button", { name: "Dismiss" }));
    await screen.findByText("dismissed by you");
    expect(desk.sent("answer")).toEqual([
      { type: "answer", request: "r1", action: "decline", holdMs: 5_000, asks: asked.asks },
      { type: "answer", request: "r2", action: "cancel", holdMs: 5_000, asks: other.asks },
    ]);
  });

  it("says what the server hears of a no before it is pressed", async () => {
    open(two());
    const said = (name: RegExp) =>
      document.getElementById(screen.getByRole("button", { name }).getAttribute("aria-describedby") ?? "")?.textContent;
    await heading(/^Approve/);
    expect(said(/^Decline/)).toBe("The server is told that you say no.");
    expect(said(/^Dismiss/)).toBe("The server is told that you leave it undecided. It may ask again or give up.");
  });

  it("names the key that works where the focus is", async () => {
    const { user } = open(two());
    await heading(/^Approve/);
    const keys = (name: RegExp) => screen.getByRole("button", { name }).querySelector(".hint")?.getAttribute("data-off");
    expect(screen.getByRole("button", { name: /^Review and send\s*Ctrl\s*Enter$/ }), "it works everywhere").toBeTruthy();
    expect(keys(/^Decline/)).toBeNull();
    // The one beside no button.
    const off = (key: string) => screen.getAllByText(key, { selector: "kbd" }).find((kbd) => kbd.closest("button") === null)?.closest(".hint")?.getAttribute("data-off");
    for (const key of ["j", "k", "n", "?", "w"]) expect(off(key), `${key} works`).toBeNull();
    await user.click(screen.getByLabelText(/^Limit/));
    expect(keys(/^Decline/), "3 would be typed into the field").toBe("true");
    expect(keys(/^Review/)).toBeNull();
    for (const key of ["j", "k", "n", "?", "w"]) expect(off(key), `${key} would be typed, too`).toBe("true");
    await user.keyboard("{Escape}");
    for (const key of ["j", "k", "n", "?", "w"]) expect(off(key), `${key} works again`).toBeNull();
  });

  it("offers to take back without standing out, for no longer than was given", async () => {
    const { user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    await user.keyboard("{Enter}");
    const counting = await screen.findByText(/^Sending in \d+ s$/);
    expect(Number(/\d+/.exec(counting.textContent)?.[0])).toBeLessThanOrEqual(5);
    expect(screen.getByRole("button", { name: /^Undo/ }).className).not.toContain("primary");
  });

  it("sends nothing that was changed while it was looked at", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    fireEvent.click(screen.getByLabelText("No"));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(desk.sent("answer")).toEqual([]);
  });

  it("sends nothing when the review or the window is closed", async () => {
    const { desk, user, unmount } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("1");
    await screen.findByRole("dialog");
    unmount();
    expect(desk.sent("answer")).toEqual([]);
  });

  it("is given when it is kept for a server that is away", async () => {
    const { desk, user } = open(two(), 0);
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    const { act: carryOut } = desk;
    desk.act = async (command) => {
      const reply = await carryOut(command);
      if (command.type !== "answer") return reply;
      throw new DeskError({ code: "unreachable", message: "The answer is kept and delivered later.", retry: "queued" });
    };
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog"), "there is nothing left to review").toBeNull());
    expect(screen.queryByRole("alert"), "nothing failed").toBeNull();
    await screen.findByRole("button", { name: /^Take back/ });
    expect(desk.sent("answer")).toHaveLength(1);
  });

  it.each([
    ["finds nothing wrong and has nothing to send", undefined],
    ["refuses to check it", { code: "already_closed", message: "r1 cannot be answered: it was answered elsewhere.", retry: "never" }],
  ] as const)("says that the question is over where the desk %s", async (_, refusal) => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    const { act: carryOut } = desk;
    desk.act = (command) => {
      if (command.type !== "validate") return carryOut(command);
      if (refusal) throw new DeskError(refusal);
      return { type: "validated", errors: [] };
    };
    await user.click(screen.getByRole("button", { name: /^Review and send/ }));
    const note = await screen.findByRole("alert");
    expect(within(note).getByText("The task or question is already over")).toBeTruthy();
    expect(within(note).getByText(/answered/)).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByLabelText("Yes"), "nothing that was filled in is lost").toHaveProperty("checked", true);
    expect(desk.sent("answer")).toEqual([]);
  });

  it("says which answer of somebody else's was seen, as of the look at what goes out", async () => {
    const { desk, user } = open([aDetail({ state: "unknown", answer: sentBefore("2026-01-01T10:00:00.000Z") })]);
    await user.click(await screen.findByLabelText("Yes"));
    await user.click(screen.getByRole("button", { name: /^Review and send/ }));
    await screen.findByRole("dialog");
    act(() => desk.change("r1", (detail) => ({ ...detail, row: { ...detail.row, answer: sentBefore("2026-01-01T10:05:00.000Z") } })));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(desk.sent("answer")).toMatchObject([{ seen: "2026-01-01T10:00:00.000Z" }]));
  });

  it("says what failed and keeps the form", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    desk.act = () => Promise.reject(Object.assign(new Error("The task ended."), { code: "already_closed", retry: "never" }));
    await user.keyboard("3");
    await screen.findByText("The task or question is already over");
    expect(screen.getByLabelText("Yes")).toHaveProperty("checked", true);
  });
});

/** An answer that was given at this time. */
function sentBefore(decidedAt: string) {
  return { action: "decline", decidedAt, sendAt: decidedAt, sentAt: decidedAt } as const;
}
