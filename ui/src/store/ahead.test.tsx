import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import type { Host } from "../host/host";
import { showing } from "../test/desk";
import { FakeHost } from "../test/FakeHost";
import { renderWith } from "../test/render";
import { lookAhead } from "./ahead";
import { useView } from "./useView";

const OVERVIEW = { type: "overview" } as const;

function Shown() {
  return useView(OVERVIEW).status;
}

it("has a view before it is drawn for the first time", async () => {
  const host = new FakeHost(showing({}));
  await lookAhead(host, [OVERVIEW]);
  renderWith(host, <Shown />);
  expect(screen.queryByText("ready"), "no drawing without it comes first").not.toBeNull();
});

it("waits for a desk that says nothing no longer than a moment", async () => {
  vi.useFakeTimers();
  const silent: Pick<Host, "ask"> = { ask: () => new Promise(() => undefined) };
  const waits = lookAhead(silent as Host, [OVERVIEW]);
  await vi.advanceTimersByTimeAsync(100);
  await waits;
  vi.useRealTimers();
});
