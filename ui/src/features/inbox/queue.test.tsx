import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { NOTHING_SOUGHT, seek, select } from "../../places/nav";
import { heading, open } from "./openInbox";
import { aDetail } from "./samples";

const MANY = 420;
/** As high as one is in the list, in px. */
const CARD = 84;
const named = (n: number) => aDetail({ id: `r${n}`, message: `Question ${n}?`, tool: "" });
const many = () => Array.from({ length: MANY }, (_, n) => named(n + 1));

beforeEach(() => {
  select({ request: null });
  seek(NOTHING_SOUGHT);
  // jsdom lays nothing out, and scrolls nothing.
  vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(MANY * CARD);
  vi.spyOn(Element.prototype, "scrollTo").mockImplementation(function (this: Element, to?: ScrollToOptions | number) {
    if (typeof to !== "object" || to.top === undefined) return;
    this.scrollTop = to.top;
    fireEvent.scroll(this);
  });
});
afterEach(() => vi.restoreAllMocks());

describe("the place among very many questions", () => {
  it("is told from the first to the last", async () => {
    const { user } = open(many());
    await heading("Question 1?");
    expect(await screen.findByText("1 of 420")).toBeTruthy();
    (await screen.findByRole("listbox")).focus();
    await user.keyboard("{End}");
    await heading(`Question ${MANY}?`);
    expect(await screen.findByText("420 of 420")).toBeTruthy();
    await user.keyboard("{ArrowUp}");
    await heading(`Question ${MANY - 1}?`);
    expect(await screen.findByText("419 of 420")).toBeTruthy();
  });

  it("counts none that is on its way", async () => {
    const at = new Date().toISOString();
    const answer = { action: "accept", decidedAt: at, sendAt: at } as const;
    const details = many().map((detail, n) => (n === 5 || n === 410 ? { ...detail, row: { ...detail.row, state: "sending" as const, answer } } : detail));
    const { desk, user } = open(details);
    desk.overview.inbox = MANY - 2;
    await heading("Question 1?");
    (await screen.findByRole("listbox")).focus();
    await user.keyboard("{End}");
    await heading(`Question ${MANY}?`);
    await waitFor(() => expect(screen.getByText("418 of 418")).toBeTruthy());
  });
});
