import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { faults } from "../../test/axe";
import { showing } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { ago, aTaskDetail } from "../../test/samples";
import type { Difference, TaskDetail } from "../../types";
import { Compare } from "./Compare";
import { TaskDetailPane } from "./TaskDetailPane";

const EARLIER: Difference = { earlier: "t3", endedAt: ago(60_000), lines: [], leftOut: 0, cut: false };

async function compared(difference: Difference | undefined): Promise<FakeHost> {
  const host = new FakeHost(
    () => ({ type: "task" }),
    () => ({ type: "compared", ...(difference && { difference }) }),
  );
  renderWith(host, <Compare call="t7" />);
  expect(host.commands, "nothing is read unasked").toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Compare with the run before" }));
  expect(host.commands).toEqual([{ type: "diff", call: "t7" }]);
  return host;
}

describe("a task compared with the run before", () => {
  it("tells each line, whose it is not by colour alone", async () => {
    await compared({
      ...EARLIER,
      lines: [
        { of: "both", text: "took" },
        { of: "earlier", text: "3 s" },
        { of: "later", text: "<b>4 s</b>" },
        { of: "gap", text: "" },
      ],
      leftOut: 2,
    });
    const lines = await screen.findByRole("group");
    const told = [...lines.children].map((line) => [within(line as HTMLElement).getByRole("img").getAttribute("aria-label"), line.textContent]);
    expect(told).toEqual([
      ["both", " took"],
      ["only the run before", "−3 s"],
      ["only this one", "+<b>4 s</b>"],
      ["lines that both have", "…"],
    ]);
    expect(screen.getByText("2 more lines are not shown.")).toBeTruthy();
    expect(await faults()).toEqual([]);
  });

  it("says that nothing differs", async () => {
    await compared(EARLIER);
    expect((await screen.findByRole("status")).textContent).toMatch(/^What came of this task is what came of t3, ended/);
  });

  it("is offered only where there is a run before", async () => {
    const offered = async (change: Partial<TaskDetail>) => {
      const task = aTaskDetail({ id: "t7", outcome: "ok", endedAt: ago(60_000) }, change);
      renderWith(new FakeHost(showing({ details: new Map([["t7", task]]) })), <TaskDetailPane call="t7" bodyRef={null} />);
      await screen.findByRole("heading", { name: "Timeline" });
      const offer = screen.queryByRole("button", { name: "Compare with the run before" });
      cleanup();
      return offer !== null;
    };
    expect(await offered({})).toBe(false);
    expect(await offered({ runBefore: "t3" })).toBe(true);
  });

  it("says that there is no run before any more", async () => {
    await compared(undefined);
    expect((await screen.findByRole("status")).textContent).toMatch(/^Signalbox found no earlier run of the same tool with the same arguments/);
  });
});
