import { fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";

import type * as List from "../../components/VirtualList";
import { listAllServers, select } from "../../places/nav";
import { showing } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, aTask } from "../../test/samples";
import { TasksPlace } from "./TasksPlace";

const draws = vi.hoisted(() => ({ count: 0 }));

vi.mock("../../components/VirtualList", async (load) => {
  const { VirtualList } = await load<typeof List>();
  const counted: typeof VirtualList = (props) => {
    draws.count += 1;
    return VirtualList(props);
  };
  return { VirtualList: counted };
});

afterEach(() => {
  select({ task: null });
  listAllServers("tasks");
});

it("draws no row anew while somebody types", async () => {
  const tasks = ["deploy", "build", "lint"].map((tool, n) => aTask({ id: `t${n + 1}`, tool }));
  renderWith(new FakeHost(showing({ tasks, grouped: false })), <TasksPlace overview={anOverview()} />);
  fireEvent.click(await screen.findByRole("row", { name: /lint/ }), { ctrlKey: true });
  await screen.findByText("1 task picked");
  const field = screen.getByRole<HTMLInputElement>("combobox", { name: /^Filter by/ });
  const before = draws.count;
  expect(before, "they are counted").toBeGreaterThan(0);
  for (const value of ["b", "bu", "bui"]) fireEvent.change(field, { target: { value } });
  expect(field.value).toBe("bui");
  expect(draws.count, "the list is drawn anew once typing has rested").toBe(before);
});
