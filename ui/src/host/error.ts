import { CODES } from "../strings/codes";
import type { ApiError, Code, Detail, Retry } from "../types";

/** An error of the desk, as it is thrown in the window. */
export class DeskError extends Error implements ApiError {
  readonly code: Code;
  readonly retry: Retry;
  readonly detail?: Detail;

  constructor(error: ApiError) {
    super(error.message);
    this.name = "DeskError";
    this.code = error.code;
    this.retry = error.retry;
    if (error.detail) this.detail = error.detail;
  }

  /** Whatever was thrown, as a desk error: what is none of ours is a bug and says so. */
  static from(thrown: unknown): DeskError {
    if (thrown instanceof DeskError) return thrown;
    if (isApiError(thrown)) return new DeskError(thrown);
    const message = thrown instanceof Error ? thrown.message : typeof thrown === "string" ? thrown : "";
    return new DeskError({ code: "internal", message, retry: "never" });
  }
}

function isApiError(thrown: unknown): thrown is ApiError {
  if (typeof thrown !== "object" || thrown === null) return false;
  const { code, message } = thrown as Partial<Record<keyof ApiError, unknown>>;
  return typeof code === "string" && Object.hasOwn(CODES, code) && typeof message === "string";
}
