import type { DeskError } from "../host/error";

/** How the change of something that the desk keeps stands. */
export interface Saving {
  state: "saving" | "saved" | "failed";
  error?: DeskError;
}
