import type { Code, NoteCode } from "../../types";

const UNKEPT: ReadonlySet<Code | NoteCode> = new Set(["no_keychain", "secrets_locked", "needs_owner"]);

/** Whether values cannot be kept as secrets now: something else may become of them, or they are kept elsewhere. */
export function isUnkept(code: Code | NoteCode): boolean {
  return UNKEPT.has(code);
}
