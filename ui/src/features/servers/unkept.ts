import type { Code } from "../../types";

const UNKEPT: readonly string[] = ["no_keychain", "secrets_locked", "needs_owner"] satisfies Code[];

/** Whether values cannot be kept as secrets now: something else may become of them, or they are kept elsewhere. */
export function isUnkept(code: string): boolean {
  return UNKEPT.includes(code);
}
