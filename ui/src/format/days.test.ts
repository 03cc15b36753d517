import { describe, expect, it } from "vitest";

import { addDays, addMonths, offsetHere, readDay, readMoment, weekday, weeksOf, writeDay, writeMoment } from "./days";

const day = (text: string) => readDay(text) ?? { year: 0, month: 0, day: 0 };

describe("days", () => {
  it.each(["2026-02-29", "2026-13-01", "2026-00-10", "2026-1-3", "0000-01-01", "", "2026-01-31T"])("%j is none", (text) => {
    expect(readDay(text)).toBeUndefined();
  });

  it.each(["2024-02-29", "0001-01-01", "0099-12-31", "9999-12-31"])("%s is one, and is written as it was read", (text) => {
    expect(writeDay(day(text))).toBe(text);
  });

  it.each([
    ["2026-12-31", 1, "2027-01-01"],
    ["2026-03-29", 1, "2026-03-30"],
    ["2024-03-01", -1, "2024-02-29"],
    ["0001-01-01", -1, "0001-01-01"],
    ["9999-12-31", 1, "9999-12-31"],
  ])("%s and %i more is %s, whatever the clock here does", (from, count, to) => {
    expect(writeDay(addDays(day(from), count))).toBe(to);
  });

  it.each([
    ["2026-01-31", 1, "2026-02-28"],
    ["2026-01-15", -1, "2025-12-15"],
    ["2024-02-29", 12, "2025-02-28"],
    ["0001-01-15", -1, "0001-01-15"],
  ])("%s and %i months more is %s", (from, count, to) => {
    expect(writeDay(addMonths(day(from), count))).toBe(to);
  });

  it("stand in weeks from Monday on", () => {
    const weeks = weeksOf(2026, 11);
    expect(weeks).toHaveLength(6);
    expect(weeks[0]?.map((one) => one?.day)).toEqual([undefined, undefined, undefined, undefined, undefined, undefined, 1]);
    expect(weekday(day("2026-11-27")), "a Friday").toBe(4);
  });
});

describe("points in time", () => {
  it.each([
    ["2026-01-31T09:00:00+02:00", "2026-01-31", "09:00:00", "+02:00"],
    ["2026-01-31t09:00:00.125z", "2026-01-31", "09:00:00.125", "z"],
    ["2026-01-31", "2026-01-31", undefined, undefined],
    ["soon", undefined, undefined, undefined],
  ])("%s is read as far as it goes", (text, day, time, offset) => {
    expect(readMoment(text)).toEqual({ day, time, offset });
  });

  it("are written with seconds, which the format demands", () => {
    expect(writeMoment("2026-01-31", "09:00", "Z")).toBe("2026-01-31T09:00:00Z");
  });

  it("have the offset that the clock here has on that day", () => {
    const west = new Date(2026, 6, 1, 12).getTimezoneOffset();
    const here = offsetHere(day("2026-07-01"), "12:00:00");
    expect(Number(`${here.charAt(0)}1`) * (Number(here.slice(1, 3)) * 60 + Number(here.slice(4))) + west).toBe(0);
  });
});
