import { expect, it } from "vitest";

import { isAfter } from "./versions";

it.each([
  ["0.2.0", "0.1.9", true],
  ["0.10.0", "0.9.0", true],
  ["1.0.0", "1.0.0-rc.1", true],
  ["0.1.0", "0.1.1", false],
  ["1.0.0-rc.1", "1.0.0", false],
  ["1.0.0-rc.1", "1.0.0-rc.2", undefined],
  ["1.0.0+a", "1.0.0+b", undefined],
  ["later", "0.1.0", undefined],
])("%s after %s: %s", (one, other, after) => expect(isAfter(one, other)).toBe(after));
