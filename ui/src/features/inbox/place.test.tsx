import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { select } from "../../places/nav";
import { heading, open } from "./openInbox";
import { aDetail } from "./samples";

beforeEach(() => select({ request: null }));

describe("the list", () => {
  it("goes on by j and k from where the question was that has left the list", async () => {
    const at = new Date().toISOString();
    const { desk, user } = open(["r1", "r2", "r3"].map((id) => aDetail({ id, message: id })));
    await screen.findAllByRole("option");
    await user.keyboard("jj");
    await heading("r3");
    const answer = { action: "accept", content: "{}", decidedAt: at, sendAt: at, sentAt: at } as const;
    act(() => desk.change("r3", (detail) => ({ ...detail, row: { ...detail.row, state: "answered", closedAt: at, answer } })));
    await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(2));
    await user.keyboard("k");
    await heading("r2");
  });
});
