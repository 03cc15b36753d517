import { describe, expect, it } from "vitest";

import { DeskError } from "./error";

describe("DeskError.from", () => {
  it("keeps what the desk says", () => {
    const error = DeskError.from({ code: "throttled", message: "slow down", retry: "later", detail: { retryAfterMs: 10 } });
    expect(error).toMatchObject({ code: "throttled", message: "slow down", retry: "later", detail: { retryAfterMs: 10 } });
    expect(DeskError.from(error)).toBe(error);
  });

  it("calls everything else a fault of ours, with its words", () => {
    expect(DeskError.from("command desk not found")).toMatchObject({ code: "internal", message: "command desk not found" });
    expect(DeskError.from(new TypeError("x is undefined")).code).toBe("internal");
    expect(DeskError.from({ code: "made_up", message: "?" }).code, "a code beyond the closed list").toBe("internal");
    expect(DeskError.from({ code: "toString", message: "?" }).code).toBe("internal");
  });
});
