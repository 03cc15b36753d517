import type { ReactNode } from "react";

/** A character of a script that runs from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** A JSON string with its quotes; the last one may be cut. */
const STRING = /("(?:[^"\\]|\\.)*"?)/s;

/**
 * JSON as it is read: what runs from right to left stays between its own quotes, and moves neither the colon behind it nor the
 * string next to it.
 */
export function jsonStrings(json: string): ReactNode {
  if (!RIGHT_TO_LEFT.test(json)) return json;
  return json.split(STRING).map((part, at) =>
    RIGHT_TO_LEFT.test(part) ? (
      <bdi key={at} dir="ltr">
        {part}
      </bdi>
    ) : (
      part
    ),
  );
}
