import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { listenForKeys } from "../../actions/keys";
import { currentNav, listAllServers, select } from "../../places/nav";
import { showing } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, aTask } from "../../test/samples";
import { TasksPlace } from "./TasksPlace";

const TOTAL = 1_000;
/** As high as a row and the columns' heads are. */
const LINE = 32;
const TASKS = Array.from({ length: TOTAL }, (_, n) => aTask({ id: `t${n}`, tool: `tool-${n}`, summary: "" }));

/** A list of which a fifth is here at a time. What is `far` comes when the test says so. */
async function show() {
  const host = new FakeHost(showing({ tasks: TASKS, grouped: false }));
  let come = (): void => undefined;
  const far = new Promise<void>((resolve) => {
    come = resolve;
  });
  host.late = (view) => (view.type === "tasks" && view.offset > 0 ? far : undefined);
  renderWith(host, <TasksPlace overview={anOverview()} />);
  await userEvent.click(await screen.findByText("tool-5"));
  await waitFor(() => expect(heading("tool-5")).not.toBeNull());
  const grid = screen.getByRole("grid");
  grid.focus();
  return { grid, come };
}

const inHand = () => currentNav().task;
const heading = (tool: string) => screen.queryByText(tool, { selector: "h1 *" });

describe("a list of which only a part is here", () => {
  let stop: () => void;
  beforeEach(() => {
    select({ task: null });
    listAllServers("tasks");
    stop = listenForKeys(window);
    // jsdom lays nothing out, and scrolls nothing.
    vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue((TOTAL + 1) * LINE);
    vi.spyOn(Element.prototype, "scrollTo").mockImplementation(function (this: Element, to?: ScrollToOptions | number) {
      if (typeof to !== "object" || to.top === undefined) return;
      this.scrollTop = to.top;
      fireEvent.scroll(this);
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    stop();
  });

  it("lets keys lead to a row that is not here yet, and shows none until it comes", async () => {
    const { come } = await show();
    await userEvent.keyboard("{End}");
    expect(heading("tool-5"), "what was in hand is not any more").toBeNull();
    expect(screen.queryByText("Loading…"), "and that is said").not.toBeNull();
    await userEvent.keyboard("{ArrowUp}{ArrowUp}{ArrowDown}");
    come();
    await waitFor(() => expect(inHand(), "the last but one").toBe("t998"));
    await waitFor(() => expect(heading("tool-998")).not.toBeNull());
    await userEvent.keyboard("{ArrowUp}");
    await waitFor(() => expect(inHand()).toBe("t997"));
    await userEvent.keyboard("{Home}");
    await waitFor(() => expect(inHand()).toBe("t0"));
  });

  it("forgets a row on its way where another is chosen", async () => {
    const { come } = await show();
    await userEvent.keyboard("{End}");
    expect(currentNav().awaited?.row).toBe(TOTAL - 1);
    act(() => select({ task: "t7" }));
    await waitFor(() => expect(heading("tool-7")).not.toBeNull());
    expect(currentNav().awaited, "nothing takes its place later").toBeNull();
    come();
    await userEvent.keyboard("j");
    expect(inHand()).toBe("t8");
  });

  it.each([
    ["j", "t500"],
    ["k", "t500"],
  ])("goes on from what is in sight where the selection was scrolled far away, by %s", async (key, task) => {
    const { grid, come } = await show();
    come();
    grid.scrollTop = 500 * LINE;
    fireEvent.scroll(grid);
    await within(grid).findByText("tool-510");
    await userEvent.keyboard(key);
    await waitFor(() => expect(inHand()).toBe(task));
    expect(grid.scrollTop, "and the list stays where it was").toBe(500 * LINE);
  });
});
