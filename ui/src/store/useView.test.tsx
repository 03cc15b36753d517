import { act, screen } from "@testing-library/react";
import { memo, useEffect } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { FakeHost } from "../test/FakeHost";
import { renderWith } from "../test/render";
import { aTask } from "../test/samples";
import type { TaskRow, View, ViewData } from "../types";
import { useView, type Viewed } from "./useView";

const VIEW = { type: "tasks", query: { filter: "", within: [], sort: "", group: "" }, offset: 0, limit: 100 } satisfies View;

function page(rows: TaskRow[]): ViewData {
  return { type: "tasks", page: { ids: rows.map((row) => row.id), rows, total: rows.length, heads: [], complete: true } };
}

const renders = new Map<string, number>();
const Row = memo(function Row({ row }: { row: TaskRow }) {
  renders.set(row.id, (renders.get(row.id) ?? 0) + 1);
  return <li>{row.statusMessage}</li>;
});

let seen: Viewed<typeof VIEW>;
const keep = (viewed: Viewed<typeof VIEW>) => {
  seen = viewed;
};
function List() {
  const viewed = useView(VIEW);
  useEffect(() => keep(viewed));
  return (
    <ul>
      {viewed.data?.rows.map((row) => (
        <Row key={row.id} row={row} />
      ))}
    </ul>
  );
}

const settle = () => act(async () => vi.advanceTimersByTimeAsync(0));

describe("a view", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    renders.clear();
  });
  afterEach(() => vi.useRealTimers());

  it("loads, applies only what changed and keeps the identity of the rest", async () => {
    let rows = [aTask({ id: "t1", statusMessage: "one" }), aTask({ id: "t2", statusMessage: "two" })];
    const host = new FakeHost(() => page(rows));
    renderWith(host, <List />);
    expect(seen.status).toBe("loading");
    await settle();
    expect(seen.status).toBe("ready");
    const [first] = seen.data?.rows ?? [];

    rows = [rows[0] as TaskRow, aTask({ id: "t2", statusMessage: "changed" })];
    host.touch();
    await settle();
    expect(screen.getByText("changed")).toBeTruthy();
    expect(seen.data?.rows[0], "an unchanged row keeps its identity").toBe(first);
    expect(renders.get("t1"), "an unchanged row is not rendered again").toBe(1);
    expect(renders.get("t2")).toBe(2);
  });

  it("follows the order the desk gives and drops rows that left", async () => {
    let rows = [aTask({ id: "t1" }), aTask({ id: "t2" }), aTask({ id: "t3" })];
    const host = new FakeHost(() => page(rows));
    renderWith(host, <List />);
    await settle();
    rows = [rows[2] as TaskRow, rows[0] as TaskRow];
    host.touch();
    await settle();
    expect(seen.data?.rows.map((row) => row.id)).toEqual(["t3", "t1"]);
  });

  it("waits at the desk instead of polling, handing back the cursor", async () => {
    const host = new FakeHost(() => page([aTask()]));
    renderWith(host, <List />);
    await settle();
    await act(async () => vi.advanceTimersByTimeAsync(20_000));
    expect(host.looks.length, "one look for all, one that waits").toBe(2);
    expect(host.looks[0]?.after).toBeUndefined();
    expect(host.looks[1]?.after).toEqual({ epoch: 1, seq: 1, shape: "0" });
  });

  it("asks for all of it when a row went missing on the way", async () => {
    let broken = false;
    const host = new FakeHost(() => {
      const whole = page([aTask({ id: "t1" }), aTask({ id: "t2" })]);
      if (broken && whole.type === "tasks") {
        whole.page.ids = ["t1", "t9"];
        broken = false;
      }
      return whole;
    });
    renderWith(host, <List />);
    await settle();
    broken = true;
    host.touch();
    await settle();
    expect(host.looks.at(-2)?.after, "the look after the gap starts afresh").toBeUndefined();
    expect(seen.data?.rows.map((row) => row.id)).toEqual(["t1", "t2"]);
  });

  it("goes offline with the last data, backs off, and comes back", async () => {
    const host = new FakeHost(() => page([aTask({ statusMessage: "kept" })]));
    renderWith(host, <List />);
    await settle();
    host.fail({ code: "owner_gone", message: "gone", retry: "later" });
    await settle();
    expect(seen.status).toBe("offline");
    expect(seen.error?.code).toBe("owner_gone");
    expect(screen.getByText("kept"), "what was seen last stays").toBeTruthy();

    host.fail(undefined);
    await act(async () => vi.advanceTimersByTimeAsync(600));
    expect(seen.status).toBe("ready");
    expect(seen.error).toBeUndefined();
  });

  it("stops looking once it is left, and leaves no look at the desk", async () => {
    const host = new FakeHost(() => page([aTask()]));
    const { unmount } = renderWith(host, <List />);
    await settle();
    expect(host.waiting).toBe(1);
    unmount();
    await settle();
    expect(host.waiting, "the desk has few places for looks that wait").toBe(0);
    const asked = host.looks.length;
    host.touch();
    await settle();
    expect(host.looks.length, "no other look followed").toBe(asked);
  });

  it("shows at once what was seen last when it is come back to soon", async () => {
    const host = new FakeHost(() => page([aTask({ statusMessage: "kept" })]));
    const first = renderWith(host, <List />);
    await settle();
    first.unmount();
    await settle();
    renderWith(host, <List />);
    expect(seen.status).toBe("ready");
    await settle();
    expect(host.looks.at(-1)?.after, "only what changed meanwhile is asked for").toBeDefined();
    expect(host.waiting).toBe(1);
  });

  it("looks once for two places that show the same", async () => {
    const host = new FakeHost(() => page([aTask()]));
    renderWith(
      host,
      <>
        <List />
        <List />
      </>,
    );
    await settle();
    expect(host.looks.filter((look) => !look.after)).toHaveLength(1);
  });
});
