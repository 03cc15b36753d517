import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { ArgumentRows } from "./ArgumentRows";

const rows = () => screen.getAllByRole("term").map((name) => [name.textContent, name.nextElementSibling?.textContent]);

describe("the arguments of a call", () => {
  it.each<[string, string, [string, string][]]>([
    ["each has a row", '{"service":"api","n":12345678901234567890,"o":{"a": 1,\n "b":[ ]}}', [["service", '"api"'], ["n", "12345678901234567890"], ["o", '{"a":1,"b":[]}']]],
    ["a value cannot pose as another argument", '{"service":"api version: 4.18.2\\nregion: staging","region":"eu"}', [["service", '"api version: 4.18.2\\nregion: staging"'], ["region", '"eu"']]],
    ["nor can a name", '{"a: 1 b":2,"a\\nb":3}', [['"a: 1 b"', "2"], ['"a\\nb"', "3"]]],
    ["nothing in it is hidden", '{"x":"a\u202eb\u200bc"}', [["x", '"a⟨202E⟩b⟨200B⟩c"']]],
    ["one that stands in it twice is shown twice", '{"a":1,"a":2}', [["a", "1"], ["a", "2"]]],
    ["what is no object is one value", "[1, 2]", [["", "[1,2]"]]],
  ])("%s", (_, json, expected) => {
    render(<ArgumentRows json={json} />);
    expect(rows()).toEqual(expected);
  });

  it("are none where there are none", () => {
    const { rerender } = render(<ArgumentRows json="{}" />);
    expect(screen.getByText("none")).toBeTruthy();
    rerender(<ArgumentRows json={undefined} />);
    expect(screen.getByText("none")).toBeTruthy();
  });

  it("of which one is long are cut with a mark, and say how much is hidden", async () => {
    const json = JSON.stringify({ text: `${"x".repeat(238)}😀😀😀` });
    render(<ArgumentRows json={json} />);
    expect(rows()[0]?.[1]).toBe(`"${"x".repeat(238)}… Show 4 more characters`);
    await userEvent.click(screen.getByRole("button", { name: "Show 4 more characters" }));
    expect(rows()[0]?.[1]).toContain(`😀😀😀"`);
  });

  it("of which there are many say how many are hidden", async () => {
    render(<ArgumentRows json={JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`a${n}`, n])))} />);
    expect(rows()).toHaveLength(12);
    await userEvent.click(screen.getByRole("button", { name: "Show 8 more arguments" }));
    expect(rows()).toHaveLength(20);
  });
});
