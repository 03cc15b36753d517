import { screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";

import type { Host } from "../host/host";
import { showing } from "../test/desk";
import { FakeHost } from "../test/FakeHost";
import { renderWith } from "../test/render";
import { lookAhead } from "./ahead";
import { useView } from "./useView";

afterEach(() => vi.useRealTimers());

const OVERVIEW = { type: "overview" } as const;

function Shown() {
  return useView(OVERVIEW).status;
}

it("has a view before it is drawn for the first time", async () => {
  const host = new FakeHost(showing({}));
  await lookAhead(host, OVERVIEW);
  renderWith(host, <Shown />);
  expect(screen.queryByText("ready"), "no drawing without it comes first").not.toBeNull();
});

it("waits for a desk that says nothing no longer than a moment", async () => {
  vi.useFakeTimers();
  const drawn = vi.fn();
  const silent: Pick<Host, "ask"> = { ask: () => new Promise(() => undefined) };
  void lookAhead(silent as Host, OVERVIEW).then(drawn);
  await vi.advanceTimersByTimeAsync(99);
  expect(drawn, "it may come yet").not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(drawn).toHaveBeenCalledOnce();
});
