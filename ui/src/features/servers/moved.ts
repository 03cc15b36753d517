import type { ServerView } from "../../types";
import { draftOf, type ServerDraft } from "./draft";

/** Whether saving forgets as whom we sign in: it was said for one host, and goes to no other. */
export function forgetsSignIn(server: ServerView, draft: Pick<ServerDraft, "kind" | "url">): boolean {
  const { clientId, clientSecret, clientMetadataUrl, scopes, machine } = server.access.signIn;
  const isSaid = machine || scopes.length > 0 || [clientId, clientSecret, clientMetadataUrl].some((part) => part !== undefined);
  return isSaid && (draft.kind !== server.transport.kind || goesElsewhere(server, draft));
}

/** The headers of the old host that saving sends to the new one, by name. */
export function takenAlong(server: ServerView, draft: Pick<ServerDraft, "kind" | "url" | "headers">): string[] {
  if (!goesElsewhere(server, draft)) return [];
  const before = new Set(draftOf(server).headers.map((row) => JSON.stringify(row)));
  return draft.headers.filter((row) => before.has(JSON.stringify(row))).map((row) => row.name);
}

/** Whether a URL is replaced by one of another host. */
function goesElsewhere({ transport }: ServerView, { kind, url }: Pick<ServerDraft, "kind" | "url">): boolean {
  if (kind !== "http" || transport.kind !== "http") return false;
  const origin = originOf(url.trim());
  return origin !== undefined && origin !== originOf(transport.url);
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
