import { readFileSync } from "node:fs";
import { join } from "node:path";

import { fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";

import { t } from "../../strings";
import { ago, aTask } from "../../test/samples";
import { ColumnsDialog } from "./ColumnsDialog";
import { COLUMNS, fitting, readColumns, readWidths, trackOf, USUAL_COLUMNS, WIDE_COLUMNS, type Column } from "./columns";
import { sameList, USUAL, withWidth, type ShownList } from "./shown";
import { TaskHead } from "./TaskHead";
import { TaskLine } from "./TaskLine";

const ALL = Object.keys(COLUMNS) as Column[];

/** The dialog over a list, whose columns are written below it. */
function Chooser({ first = USUAL, width = 0 }: { first?: ShownList; width?: number }) {
  const [shown, setShown] = useState(first);
  return (
    <>
      <ColumnsDialog shown={shown} width={width} onShown={setShown} onClose={() => undefined} />
      <output aria-label="now">{JSON.stringify([shown.columns ?? "usual", shown.compact ?? false])}</output>
    </>
  );
}

const now = () => JSON.parse(screen.getByLabelText("now").textContent) as [Column[] | "usual", boolean];
const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });

describe("the columns of the task list", () => {
  it("are chosen from those that a wide list has", async () => {
    render(<Chooser width={1000} />);
    expect([box("Progress").checked, box("Tags").checked]).toEqual([true, true]);
    await userEvent.click(box("Server"));
    expect(now()[0]).toEqual(WIDE_COLUMNS.filter((column) => column !== "server"));
  });

  it("are read from what any version remembered", () => {
    for (const odd of [undefined, null, 7, "tool", {}, [], [7, "mood"], USUAL_COLUMNS]) expect(readColumns(odd), JSON.stringify(odd)).toBeUndefined();
    expect(readColumns(["elapsed", "tool", "elapsed", "mood"])).toEqual(["elapsed", "tool"]);
    expect(readColumns(["toString", "elapsed"]), "a list without its tools would tell nothing").toEqual(["tool", "elapsed"]);
  });

  it("go where there is no room, TTL left first, and what runs how long stays", () => {
    expect(fitting(ALL, 0), "before the room is known").toEqual(ALL);
    expect(fitting(USUAL_COLUMNS, 971)).toEqual(USUAL_COLUMNS);
    expect(fitting(USUAL_COLUMNS, 972), "a wide list has room for more").toEqual(WIDE_COLUMNS);
    expect(fitting(WIDE_COLUMNS, 972), "and none of it is squeezed").toEqual(WIDE_COLUMNS);
    expect(fitting([...USUAL_COLUMNS, "origin"], 1_400), "not where a person has chosen").toEqual([...USUAL_COLUMNS, "origin"]);
    expect(fitting(USUAL_COLUMNS, 740)).toEqual(USUAL_COLUMNS.filter((column) => column !== "ttl"));
    expect(fitting(USUAL_COLUMNS, 416), "as in a window of 900 px").toEqual(["status", "tool", "elapsed"]);
    expect(fitting(ALL, 100)).toEqual(["tool", "elapsed"]);
  });

  it("that a person added stay longer than those that are there anyway", () => {
    expect(fitting([...USUAL_COLUMNS, "progress"], 720)).toEqual(["status", "tool", "server", "elapsed", "ended", "progress"]);
    const added: Column[] = ["progress", "tags", "origin"];
    expect(fitting([...USUAL_COLUMNS, ...added], 720), "as in a window of 1280 px").toEqual(["status", "tool", "elapsed", ...added]);
    expect(fitting([...USUAL_COLUMNS, ...added], 610), "from the right, where even they have no room").toEqual(["status", "tool", "elapsed", "progress", "tags"]);
  });

  it("say in the dialog that they have no room now", () => {
    render(<ColumnsDialog shown={USUAL} width={416} onShown={() => undefined} onClose={() => undefined} />);
    const said = screen.getAllByRole("listitem").filter((item) => within(item).queryByText("no room now"));
    expect(said.map((item) => item.dataset["column"])).toEqual(["server", "silent", "ended", "ttl"]);
    expect(screen.getByRole("checkbox", { name: "Server", description: "no room now" })).toBeTruthy();
  });

  it("are as wide as a person made them, and the tool has what is left", () => {
    expect(trackOf(["status", "tool", "elapsed"], { elapsed: 120 })).toBe("16px minmax(116px, 0.8fr) minmax(132px, 1fr) 120px");
    expect(fitting(["tool", "server", "elapsed"], 460, { server: 300 }), "one made wide goes sooner").toEqual(["tool", "elapsed"]);
    expect(withWidth(USUAL, "server", 9_000).widths, "within bounds").toEqual({ server: 640 });
    expect(withWidth(withWidth(USUAL, "server", 200), "server", undefined)).toEqual(USUAL);
    for (const odd of [undefined, null, 7, [], {}, { tool: 200 }, { mood: 200 }, { server: "wide" }, { server: NaN }]) expect(readWidths(odd), JSON.stringify(odd)).toBeUndefined();
    expect(readWidths({ server: 12, elapsed: 99.6 })).toEqual({ server: 40, elapsed: 100 });
    expect(sameList(USUAL, withWidth(USUAL, "server", 200)), "a view keeps them").toBe(false);
  });

  it("are sized by their edges, and kept once they are let go", () => {
    const [dragged, kept] = [vi.fn(), vi.fn()];
    const { container } = render(<TaskHead sort="" onSort={() => undefined} columns={["status", "tool", "server"]} onDrag={dragged} onWidth={kept} />);
    const [end, start] = [...container.querySelectorAll<HTMLElement>("[data-side]")] as [HTMLElement, HTMLElement];
    expect([end.dataset["side"], start.dataset["side"]], "each where the tool's room begins or ends").toEqual(["end", "start"]);
    for (const edge of [end, start]) {
      edge.setPointerCapture = () => undefined;
      const column = edge.parentElement as HTMLElement;
      column.getBoundingClientRect = () => new DOMRect(0, 0, 120, 20);
    }
    fireEvent.pointerDown(start, { button: 0, clientX: 300, pointerId: 1 });
    fireEvent.pointerMove(start, { clientX: 260, pointerId: 1 });
    expect(dragged.mock.calls).toEqual([["server", 160]]);
    expect(kept, "not while it is held").not.toHaveBeenCalled();
    fireEvent.pointerUp(start, { pointerId: 1 });
    fireEvent.doubleClick(end);
    expect(kept.mock.calls).toEqual([
      ["server", 160],
      ["status", undefined],
    ]);
  });

  it("are sized by keys in the dialog", async () => {
    const user = userEvent.setup();
    render(<Chooser />);
    const field = () => screen.getByRole<HTMLInputElement>("spinbutton", { name: "Width of Server, in pixels" });
    await user.type(field(), "180{Enter}");
    expect(field().value).toBe("180");
    await user.click(screen.getByRole("button", { name: "Back to the default" }));
    expect(field().value).toBe("");
    expect(screen.queryByRole("spinbutton", { name: "Width of Tool and arguments, in pixels" }), "the tool has what is left").toBeNull();
  });

  it("are left out in the order that the dialog names", () => {
    const columns = [...USUAL_COLUMNS, "tags", "origin"] as const;
    const left: Column[] = [];
    for (let width = 2_000; width > 0; width -= 4) {
      const shown = fitting(columns, width);
      left.push(...columns.filter((column) => !shown.includes(column) && !left.includes(column)));
    }
    const names = left.filter((column) => column !== "tags" && column !== "origin").map((column) => t.tasks.columns[column]);
    expect(left.slice(-3), "what was added goes before the status alone").toEqual(["origin", "tags", "status"]);
    expect(t.tasks.layout.hint).toMatch(new RegExp(`${names.slice(0, -1).join(".*")}.*added.*${names.at(-1)} last`));
    expect(fitting(columns, 1)).toEqual(["tool", "elapsed"]);
  });

  it("warn by more than a colour", () => {
    const sheet = readFileSync(join(import.meta.dirname, "TaskList.module.css"), "utf8");
    expect(sheet).toMatch(/\.near::before \{\n {2}content: "! ";/);
  });

  it("say what they are about, and nothing where there is nothing", () => {
    const waitingSince = ago(18 * 60_000 + 5_000, Date.now());
    const row = aTask({ progress: { fraction: 0.25 }, openRequests: 2, waitingSince, group: "needs_you", status: "input_required" });
    const { container, rerender } = render(<TaskLine row={row} selected={false} columns={ALL} />);
    const cells = () => within(container).getAllByRole("gridcell").map((cell) => cell.textContent);
    expect(cells()).toHaveLength(ALL.length);
    expect(cells()[ALL.indexOf("waiting")]).toBe("2 questions, 18 min");
    expect(cells()[ALL.indexOf("status")], "what another column says is not said twice").toBe("2 questions");
    expect(cells()[ALL.indexOf("origin")]).toBe("you");
    expect(within(container).getByRole("progressbar", { name: "Progress reported by the server: 25 %" }).getAttribute("value")).toBe("25");
    rerender(<TaskLine row={aTask({ origin: "adopted", outcome: "ok", status: "completed", group: "ended", endedAt: ago(0) })} selected={false} columns={ALL} />);
    expect(cells()[ALL.indexOf("outcome")]).toBe("done");
    expect(cells()[ALL.indexOf("origin")]).toBe("elsewhere");
    expect(within(container).queryByRole("progressbar"), "what has ended makes none").toBeNull();
  });

  it("say in the status how long a person has been waited for, where no column does", () => {
    const waitingSince = ago(18 * 60_000 + 5_000, Date.now());
    const row = aTask({ openRequests: 1, waitingSince, group: "needs_you", status: "input_required" });
    const { container } = render(<TaskLine row={row} selected={false} />);
    expect(within(container).getAllByRole("gridcell")[0]?.textContent).toBe("needs you, 18 min");
  });

  it("have a thin bar in the status where the column of the progress is not shown", () => {
    const row = aTask({ progress: { fraction: 0.25 } });
    const { container, rerender } = render(<TaskLine row={row} selected={false} />);
    const bars = () => within(container).getAllByRole("progressbar", { name: "Progress reported by the server: 25 %" });
    expect(bars().map((bar) => bar.closest("[role=gridcell]")?.className)).toEqual([expect.stringMatching(/status/)]);
    rerender(<TaskLine row={row} selected={false} columns={["status", "progress", "tool"]} />);
    expect(bars().map((bar) => bar.closest("[role=gridcell]")?.className), "once, not twice").toEqual([expect.stringMatching(/bar/)]);
    rerender(<TaskLine row={{ ...row, outcome: "ok", status: "completed", group: "ended", endedAt: ago(0) }} selected={false} />);
    expect(within(container).queryByRole("progressbar"), "what has ended makes none").toBeNull();
  });

  it("keep the word of the status for those who hear it where only the lamp has room", () => {
    const { container } = render(
      <>
        <TaskHead sort="" onSort={() => undefined} width={100} />
        <TaskLine row={aTask({ group: "ended", status: "completed", outcome: "ok" })} selected={false} width={100} />
      </>,
    );
    expect(within(container).getAllByRole("columnheader")).toHaveLength(within(container).getAllByRole("gridcell").length);
    expect(container.textContent).toContain("done");
  });

  it("warn of a task that works and has been silent for long", () => {
    const silent = (change: Parameters<typeof aTask>[0]) => {
      const seenAt = ago(20 * 60_000, Date.now());
      const { container } = render(<TaskLine row={aTask({ seenAt, ...change })} selected={false} columns={["tool", "silent"]} />);
      return container.querySelector(`time[datetime="${seenAt}"]`)?.className;
    };
    expect(silent({})).toMatch(/near/);
    expect(silent({ group: "needs_you" }), "that one waits for somebody").toBe("");
  });

  it("say of an ended task how long it ran, however narrow the list is", () => {
    const ended = aTask({ outcome: "ok", status: "completed", group: "ended", createdAt: ago(120_000), endedAt: ago(88_000) });
    const { container, rerender } = render(<TaskLine row={ended} selected={false} />);
    const elapsed = (columns: readonly Column[]) => within(container).getAllByRole("gridcell")[columns.indexOf("elapsed")]?.textContent;
    expect(elapsed(USUAL_COLUMNS)).toBe("0:32");
    rerender(<TaskLine row={ended} selected={false} width={416} />);
    expect(elapsed(fitting(USUAL_COLUMNS, 416)), "as its head says").toBe("0:32");
  });

  it("warn of silence in a narrow list", () => {
    const seenAt = ago(20 * 60_000 + 5_000, Date.now());
    const row = aTask({ seenAt });
    const { container, rerender } = render(<TaskLine row={row} selected={false} width={416} />);
    const near = () => container.querySelector("[role=gridcell] > [class*=near]");
    expect(near()?.textContent).toMatch(/, silent for 20 min$/);
    rerender(<TaskLine row={aTask({ seenAt, group: "needs_you" })} selected={false} width={416} />);
    expect(near(), "that one waits for somebody").toBeNull();
    rerender(<TaskLine row={row} selected={false} width={416} columns={["status", "tool"]} />);
    expect(near(), "nor where nobody wants to know").toBeNull();
  });

  it("are chosen by keys, and the tool stays", async () => {
    const user = userEvent.setup();
    render(<Chooser />);
    expect(box("Tool and arguments").disabled).toBe(true);
    await user.click(box("Progress"));
    await user.keyboard("  ");
    expect(now()[0]).toEqual([...USUAL_COLUMNS, "progress"]);
    await user.click(box("TTL left"));
    expect(now()[0]).not.toContain("ttl");
    await user.click(screen.getByRole("button", { name: "Back to the default" }));
    expect(now()[0]).toBe("usual");
  });

  it("are moved by keys, and the focus goes along", async () => {
    const user = userEvent.setup();
    render(<Chooser />);
    await user.click(screen.getByRole("button", { name: "Move Elapsed forward" }));
    await user.keyboard("{Enter}{Enter}");
    expect(now()[0].slice(0, 2), "it has come to the beginning").toEqual(["elapsed", "status"]);
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Move Elapsed back");
    await user.keyboard("{Enter}");
    expect(now()[0].slice(0, 2)).toEqual(["status", "elapsed"]);
  });

  it("stand in low rows where somebody wants that", async () => {
    render(<Chooser />);
    await userEvent.click(box("Compact rows"));
    expect(now()).toEqual(["usual", true]);
  });
});
