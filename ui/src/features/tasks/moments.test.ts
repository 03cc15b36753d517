import { describe, expect, it } from "vitest";

import type { Event, EventKind } from "../../types";
import { moments } from "./moments";

const event = (at: string, kind: EventKind): Event => ({ call: "t1", at: `2026-11-21T14:00:${at}Z`, kind });

describe("a timeline", () => {
  it("has one line for what happened in one second, in its order", () => {
    const told = moments([event("01.000", "called"), event("07.010", "status"), event("07.020", "taken"), event("07.990", "ended"), event("08.000", "status")]);
    expect(told.map(({ events }) => events.map(({ kind }) => kind))).toEqual([["called"], ["status", "taken", "ended"], ["status"]]);
    expect(told.map(({ at }) => at.slice(17, 23))).toEqual(["01.000", "07.010", "08.000"]);
  });

  it("marks each with what matters most in it", () => {
    expect(moments([event("01.0", "status"), event("01.1", "refused"), event("01.2", "asked")])[0]?.tone).toBe("bad");
    expect(moments([event("01.0", "trouble"), event("01.1", "ended")])[0]?.tone, "the end stands above all").toBe("end");
  });

  it("keeps apart what a clock that was set back brought to the same second", () => {
    expect(moments([event("05.0", "called"), event("01.0", "status"), event("05.0", "status")])).toHaveLength(3);
  });

  it("may be empty", () => {
    expect(moments([])).toEqual([]);
  });
});
