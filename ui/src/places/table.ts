import { underWay } from "../format/counts";
import { t } from "../strings";
import type { Overview } from "../types";

interface PlaceRow<Id extends string = string> {
  readonly id: Id;
  /** The keys that go there. With them it has a row in the rail and a line in the help; without, other places lead to it. */
  readonly keys?: string;
  /** In whose row of the rail it counts as shown, when it has none of its own. */
  readonly within?: string;
  readonly count?: PlaceCount;
}

/** The number beside a place in the rail. */
interface PlaceCount {
  of: (overview: Overview) => number;
  /** What it counts, for those who hear it. */
  said: (n: number) => string;
  /** Whether it waits for a person: then it stands out. */
  waits?: true;
}

/**
 * The places of the window, in the order of the rail. A new screen is a folder in `features/` and a row here: the compiler then
 * asks for its component (`app/screens.ts`) and, where it has keys, for its name (`strings/en/actions.ts`).
 */
const ROWS = [
  { id: "inbox", keys: "g i", count: { of: (overview) => overview.inbox, said: t.app.inboxCount, waits: true } },
  { id: "tasks", keys: "g t", count: { of: (overview) => underWay(overview.tasks), said: t.app.taskCount } },
  { id: "start", within: "tasks" },
  { id: "servers", keys: "g s" },
  { id: "settings", keys: "g ," },
] as const satisfies readonly PlaceRow[];

type Row = (typeof ROWS)[number];

/** A place of the window. */
export type Place = Row["id"];

/** A place that the rail and keys lead to. */
export type RailPlace = Extract<Row, { keys: string }>["id"];

/** All places. */
export const PLACES: readonly PlaceRow<Place>[] = ROWS;

/** Those in the rail. */
export const RAIL: readonly (PlaceRow<RailPlace> & { readonly keys: string })[] = ROWS.filter((row) => "keys" in row);

/** Which row of the rail stands for a place. */
export function rowOf(place: Place): string {
  return PLACES.find(({ id }) => id === place)?.within ?? place;
}
