import { render, screen } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { expect, it } from "vitest";

import { HostProvider } from "../../host/context";
import { showing } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { aTask } from "../../test/samples";
import { usePicks } from "./usePicks";

/** Picks all as soon as a list is on screen. */
function Picked({ total }: { total: number }) {
  const tasks = Array.from({ length: total }, (_, n) => aTask({ id: `t${n}` }));
  const { ids, all, full } = usePicks({ query: undefined, total, at: (row) => tasks[row], indexOf: () => -1 });
  useLayoutEffect(() => all(), [all, total]);
  return full === undefined ? `${ids.size} picked` : `${ids.size} of ${full} picked`;
}

it("picks of the list that is shown, in the moment in which it is", async () => {
  const host = new FakeHost(showing({}));
  const { rerender } = render(<Picked total={3} />, { wrapper: ({ children }) => <HostProvider value={host}>{children}</HostProvider> });
  expect(await screen.findByText("3 picked")).toBeTruthy();
  rerender(<Picked total={50} />);
  expect(await screen.findByText("50 picked"), "not the three of the list before it").toBeTruthy();
});

it("says how many match where more do than can be picked", async () => {
  const host = new FakeHost(showing({}));
  render(<Picked total={1_500} />, { wrapper: ({ children }) => <HostProvider value={host}>{children}</HostProvider> });
  expect(await screen.findByText("1000 of 1500 picked")).toBeTruthy();
});
