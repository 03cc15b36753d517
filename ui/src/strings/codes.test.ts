import { expect, it } from "vitest";

import { CODE_ADVICE, OPEN_ADVICE, TROUBLE_ADVICE } from "./codes";

it.each([...Object.values(OPEN_ADVICE), ...Object.values(CODE_ADVICE), ...Object.values(TROUBLE_ADVICE)])(
  "leaves the names of commands and options to the command line: %s",
  (advice) => {
    expect(advice, "who reads it looks at a window").not.toMatch(/\bsignalbox\b|--\w/);
  },
);
