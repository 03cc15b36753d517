import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it } from "vitest";

import { alsoSortedBy, sortedBy } from "./shown";
import { TaskHead } from "./TaskHead";

/** The heads over a list in this order, which is written below them. */
function Heads({ first }: { first: string }) {
  const [sort, setSort] = useState(first);
  return (
    <>
      <TaskHead sort={sort} onSort={(key, also) => setSort((now) => (also ? alsoSortedBy : sortedBy)(now, key))} />
      <output>{sort}</output>
    </>
  );
}

const column = (name: RegExp) => screen.getByRole("columnheader", { name });
const head = (name: RegExp) => within(column(name)).getByRole("button");
const order = () => screen.getByRole("status").textContent;

describe("the heads of the columns", () => {
  it("sort by one alone at a press, whatever it was sorted by before", async () => {
    render(<Heads first="server,-ended" />);
    await userEvent.click(head(/^Tool/));
    expect(order()).toBe("tool");
    await userEvent.click(head(/^Tool/));
    expect(order()).toBe("-tool");
  });

  it("add a column behind the others at a press with Shift, and turn it round at the next", async () => {
    const user = userEvent.setup();
    render(<Heads first="server" />);
    await user.keyboard("{Shift>}");
    await user.click(head(/^Ended/));
    expect(order()).toBe("server,ended");
    await user.click(head(/^Ended/));
    expect(order()).toBe("server,-ended");
    await user.keyboard("{/Shift}");
    await user.click(head(/^Ended/));
    expect(order(), "without Shift it stands alone, the way it stood").toBe("-ended");
  });

  it("do the same by keys", async () => {
    const user = userEvent.setup();
    render(<Heads first="server" />);
    head(/^Tool/).focus();
    await user.keyboard("{Shift>}{Enter}{/Shift}");
    expect(order(), "added once").toBe("server,tool");
    await user.keyboard("{Shift>}[Space]{/Shift}");
    expect(order()).toBe("server,-tool");
    await user.keyboard("{Enter}");
    expect(order()).toBe("-tool");
  });

  it("number the columns where there are several, and ARIA hears of the first", () => {
    render(<Heads first="server,-ended" />);
    expect(column(/^Server/).getAttribute("aria-sort")).toBe("ascending");
    expect(column(/^Server/).textContent).toContain("↑1");
    expect(column(/^Ended/).hasAttribute("aria-sort"), "ARIA has one sorted column").toBe(false);
    expect(column(/^Ended/).textContent).toContain("↑2");
    expect(head(/^Ended/).textContent, "what has no aria-sort is said in words").toContain("sort key 2 of 2, ascending");
  });

  it("say nothing of an order that no column shows: when a task was started is not how long it ran", () => {
    render(<Heads first="" />);
    for (const each of screen.getAllByRole("columnheader")) {
      expect(each.hasAttribute("aria-sort"), each.textContent).toBe(false);
      expect(each.textContent).not.toMatch(/[↑↓]/);
    }
    expect(screen.queryByRole("button", { name: /^Elapsed/ }), "nor does a press sort by it").toBeNull();
  });

  it("have no number where there is one, and say what Shift does", () => {
    render(<Heads first="-ended" />);
    expect(column(/^Ended$/).getAttribute("aria-sort")).toBe("ascending");
    expect(head(/^Ended$/).textContent).toBe("Ended ↑");
    expect(head(/^Tool/).title).toMatch(/With Shift it is added to the others/);
  });
});
