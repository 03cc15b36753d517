import { describe, expect, it } from "vitest";

import { KNOWN } from "./anyForm";
import { oracle } from "./oracle";

describe("what stands for the desk in these tests", () => {
  it("says what the desk says, of all contents of which that is known", () => {
    const [fits, misfits] = [0, 1].map((least) => KNOWN.flatMap(({ contents }) => contents).filter(([, places]) => (places.length > 0 ? 1 : 0) === least));
    expect(fits?.length, "both are known often").toBeGreaterThan(100);
    expect(misfits?.length).toBeGreaterThan(100);
    for (const { schema, form, contents } of KNOWN) {
      for (const [content, places] of contents) {
        expect(
          oracle(form, content).map(({ path }) => path).sort(),
          `${content} for ${schema}`,
        ).toEqual([...places].sort());
      }
    }
  });
});
