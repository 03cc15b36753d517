import { act, screen, waitFor } from "@testing-library/react";
import { useEffect } from "react";
import { describe, expect, it } from "vitest";

import { HostProvider } from "../host/context";
import { FakeHost } from "../test/FakeHost";
import { renderWith } from "../test/render";
import { aRequest } from "../test/samples";
import type { InboxTab, RequestRow } from "../types";
import { useRows } from "./useRows";

const TOTAL = 1_000;
let goTo: (first: number) => void = () => undefined;
let row: RequestRow | undefined;

/** Shows the row with the number 120, and where it is. */
function List({ tab }: { tab: InboxTab }) {
  const { at, indexOf, onRange, shown } = useRows((window) => ({ type: "inbox", tab, filter: "", within: "", ...window }), tab);
  useEffect(() => {
    goTo = onRange;
    row = at(120);
  });
  return (
    <output>
      {shown === undefined ? "nothing" : `${at(120)?.id ?? "no row"} is ${indexOf(`${tab}-120`)} of ${shown.total}`}
    </output>
  );
}

/** A desk with two long lists. */
const desk = () =>
  new FakeHost((view) => {
    if (view.type !== "inbox") throw new Error("only lists are looked at");
    const rows = Array.from({ length: view.limit }, (_, n) => aRequest({ id: `${view.tab}-${view.offset + n}` }));
    return { type: "inbox", page: { ids: rows.map(({ id }) => id), rows, total: TOTAL, heads: [], complete: true } };
  });

const said = () => screen.getByRole("status").textContent;

describe("a window of rows", () => {
  it("follows what is in sight, and counts rows over the whole list", async () => {
    const host = desk();
    renderWith(host, <List tab="needs_you" />);
    await waitFor(() => expect(said()).toBe("needs_you-120 is 120 of 1000"));
    act(() => goTo(170));
    expect(said(), "while the next window is on its way, the last one stays").toBe("needs_you-120 is 120 of 1000");
    await waitFor(() => expect(host.looks.map(({ view }) => "offset" in view && view.offset)).toContain(100));
    await waitFor(() => expect(said(), "the row is in the next window, too, at the same number").toBe("needs_you-120 is 120 of 1000"));
    act(() => goTo(900));
    await waitFor(() => expect(said(), "what is far from sight is not held").toBe("no row is -1 of 1000"));
  });

  it("asks only for the rows that the last one had not", async () => {
    const host = desk();
    renderWith(host, <List tab="needs_you" />);
    await waitFor(() => expect(row).toBeDefined());
    const before = row;
    act(() => goTo(170));
    const moved = () => host.looks.filter(({ view }) => "offset" in view && view.offset === 100);
    await waitFor(() => expect(moved()).toHaveLength(2));
    expect(moved()[0]?.after, "says what it has").toBeDefined();
    expect(moved()[0]?.waitMs, "and is answered although nothing changed").toBe(0);
    expect(row, "what both have is not sent again, and not drawn again").toBe(before);
  });

  it("of another list keeps nothing of the last one, and begins at its top", async () => {
    const host = desk();
    const { rerender } = renderWith(host, <List tab="needs_you" />);
    act(() => goTo(900));
    await waitFor(() => expect(said()).toBe("no row is -1 of 1000"));
    rerender(
      <HostProvider value={host}>
        <List tab="answered" />
      </HostProvider>,
    );
    expect(said(), "rows of one list are never shown as those of another").toBe("nothing");
    await waitFor(() => expect(said()).toBe("answered-120 is 120 of 1000"));
  });
});
