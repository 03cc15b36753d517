import type { Host } from "../host/host";
import type { View } from "../types";
import { feedOf } from "./useView";

/** How long the first drawing waits for what it shows, in ms: no longer than nobody notices. */
const WAIT_MS = 100;

/** Looks at a view before anything shows it. Resolves once it has come, or failed, or will not come soon. */
export function lookAhead(host: Host, view: View): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, WAIT_MS);
    const stop = feedOf(host, JSON.stringify(view)).subscribe(() => {
      // Left, it rests with what it saw, and whoever shows it begins with that.
      stop();
      resolve();
    });
  });
}
