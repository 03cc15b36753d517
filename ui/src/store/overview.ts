import type { Overview, OverviewChange, ServerChange, ServerId, ServerView } from "../types";

/**
 * The overview after a change. Servers that did not change keep their identity, and so does all else.
 * Answers null when the change goes with another overview than the one before: it must be asked for afresh.
 */
export function applyOverview(before: Overview | undefined, change: OverviewChange): Overview | null {
  const servers = new Map(before?.servers.map((server) => [server.id, server]));
  for (const server of change.servers) {
    const after = applyServer(servers.get(server.id), server);
    if (!after) return null;
    servers.set(server.id, after);
  }
  const listed = listOf(change.order ?? before?.servers.map((server) => server.id), servers);
  const settings = change.settings ?? before?.settings;
  const troubles = change.troubles ?? before?.troubles;
  const owner = change.owner ?? before?.owner;
  if (!listed || !settings || !troubles || !owner) return null;
  const { inbox, tabs, held, tasks, notificationsPausedUntil: paused, shortcut } = change;
  return { inbox, tabs, held, tasks, servers: listed, settings, ...(paused !== undefined && { notificationsPausedUntil: paused }), shortcut, troubles, owner };
}

function applyServer(held: ServerView | undefined, { inbox, tasks, heardAt, leftOut, view }: ServerChange): ServerView | undefined {
  const base = view ?? held;
  if (!base) return undefined;
  const { heardAt: _heard, leftOut: _left, ...still } = base;
  return { ...still, inbox, tasks, ...(heardAt !== undefined && { heardAt }), ...(leftOut !== undefined && { leftOut }) };
}

function listOf(order: readonly ServerId[] | undefined, servers: ReadonlyMap<ServerId, ServerView>): ServerView[] | undefined {
  const listed = order?.map((id) => servers.get(id));
  return listed?.every((server) => server !== undefined) ? listed : undefined;
}
