import { listAllServers, useNav } from "../../places/nav";
import type { ListOf, Overview, ServerId } from "../../types";

/** The server whose rows alone are listed. */
export interface OnlyServer {
  /** As a filter beside what is typed, whose tokens do not join it: `server:ci` typed must not widen the list. */
  within: string;
  id: ServerId;
  name: string;
  /** Lists the rows of all servers again. */
  onDrop: () => void;
}

/** The server that a list is narrowed to; none where it lists the rows of all. */
export function useOnlyServer(list: ListOf, overview: Overview | undefined): OnlyServer | undefined {
  const id = useNav((nav) => nav.only[list]);
  const server = overview?.servers.find((other) => other.id === id);
  // One that was removed meanwhile narrows nothing.
  if (id === null || (overview !== undefined && server === undefined)) return undefined;
  return { within: `server:${id}`, id, name: server?.name ?? id, onDrop: () => listAllServers(list) };
}
