import type { CloseRequest } from "../../host/host";

/** What stops where nothing does, as far as was looked. */
export function nothing({ follower, quits }: Pick<CloseRequest, "follower" | "quits">): CloseRequest {
  return { live: 0, follower, ending: 0, ends: [], unsure: false, held: 0, forgotten: [], unseen: false, quits };
}
