import type { Host } from "../host/host";
import type { View } from "../types";
import { feedOf } from "./useView";

/** How long the first drawing waits for what it shows, in ms: no longer than nobody notices. */
const WAIT_MS = 100;

/** Looks at views before anything shows them. Resolves once the first of them has come, or will not soon. */
export function lookAhead(host: Host, views: readonly View[]): Promise<void> {
  const looks = views.map(
    (view) =>
      new Promise<void>((resolve) => {
        const feed = feedOf(host, JSON.stringify(view));
        const stop = feed.subscribe(() => {
          // Left, it rests with what it saw, and whoever shows it begins with that.
          stop();
          resolve();
        });
      }),
  );
  return Promise.race([Promise.all(looks), new Promise((resolve) => setTimeout(resolve, WAIT_MS))]).then(() => undefined);
}
