import type { SortKey } from "./shown";

interface Spec {
  /** As CSS lays it out. */
  readonly width: string;
  /** With less, in px, it says too little. */
  readonly least: number;
  /** By what a press on its head sorts. */
  readonly sort?: SortKey;
}

/** What a row can show, as it is offered. */
export const COLUMNS = {
  status: { width: "minmax(116px, 0.8fr)", least: 116, sort: "status" },
  progress: { width: "72px", least: 72 },
  tool: { width: "minmax(132px, 1fr)", least: 132, sort: "tool" },
  server: { width: "minmax(100px, 0.2fr)", least: 100, sort: "server" },
  // An ended task ran for another time than since it was started: nothing sorts by what this says.
  elapsed: { width: "76px", least: 76 },
  silent: { width: "60px", least: 60, sort: "changed" },
  waiting: { width: "136px", least: 136 },
  ended: { width: "84px", least: 84, sort: "ended" },
  ttl: { width: "72px", least: 72, sort: "expires" },
  tracking: { width: "minmax(96px, 0.2fr)", least: 96 },
  outcome: { width: "minmax(96px, 0.2fr)", least: 96 },
  origin: { width: "88px", least: 88, sort: "origin" },
  tags: { width: "minmax(96px, 0.3fr)", least: 96 },
} as const satisfies Record<string, Spec>;

/** One of those. */
export type Column = keyof typeof COLUMNS;

/** Those that a list has where nobody chose. */
export const USUAL_COLUMNS: readonly Column[] = ["status", "tool", "server", "elapsed", "silent", "ended", "ttl"];

/** Those that it has there in a wide window. */
export const WIDE_COLUMNS: readonly Column[] = ["status", "progress", "tool", "server", "elapsed", "silent", "ended", "ttl", "tags"];

/** From how many px on a list is wide: there all of those have room. */
const WIDE = 972;

/** Which of the usual ones go where there is too little room, the first one first. */
const DROPPED: readonly Column[] = ["ttl", "silent", "server", "ended"];

/** Those that may go, the first one first: what a person added goes after what is there anyway. What a task is and how long it has run stays. */
function dropped(columns: readonly Column[]): readonly Column[] {
  const added = columns.filter((column) => !USUAL_COLUMNS.includes(column)).reverse();
  return [...DROPPED, ...added, "status"];
}

/** The lamp, the padding at both ends, and the gap before each column, in px. */
const LAMP = 16;
const ENDS = 32;
const GAP = 12;

/** By what a press on a column's head sorts. */
export function sortOf(column: Column): SortKey | undefined {
  const spec: Spec = COLUMNS[column];
  return spec.sort;
}

/** How wide a person has made columns, in px. The tool has what the others leave. */
export type Widths = Readonly<Partial<Record<Column, number>>>;

/** As they are where nobody made them otherwise. */
export const NO_WIDTHS: Widths = {};

/** No column is made narrower or wider than that, in px. */
export const NARROWEST = 40;
export const WIDEST = 640;

/** Whether a person can say how wide it is. */
export function isSized(column: Column): boolean {
  return column !== "tool";
}

/** A width within its bounds, in whole px. */
export function widthOf(px: number): number {
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, px)));
}

/** With a column as wide as that; as it usually is without a width. */
export function widened(widths: Widths, column: Column, px: number | undefined): Widths {
  const { [column]: _, ...others } = widths;
  return px === undefined ? others : { ...others, [column]: widthOf(px) };
}

/** The columns that have room in so many px; all of them before that is known. Where nobody chose, more in a wide list. */
export function fitting(columns: readonly Column[], width: number, widths: Widths = NO_WIDTHS): readonly Column[] {
  let shown = columns === USUAL_COLUMNS ? usualAt(width, widths) : columns;
  for (const column of dropped(columns)) {
    if (width === 0 || needed(shown, widths) <= width) break;
    shown = shown.filter((other) => other !== column);
  }
  return shown;
}

/** Those of a list of that width where nobody chose. */
export function usualAt(width: number, widths: Widths = NO_WIDTHS): readonly Column[] {
  return width >= WIDE && needed(WIDE_COLUMNS, widths) <= width ? WIDE_COLUMNS : USUAL_COLUMNS;
}

/** How many px columns take at least, with the lamp and all gaps. */
function needed(columns: readonly Column[], widths: Widths): number {
  return columns.reduce((sum, column) => sum + GAP + (widths[column] ?? COLUMNS[column].least), LAMP + ENDS);
}

/** How they stand beside each other, behind the lamp, as CSS has it. */
export function trackOf(columns: readonly Column[], widths: Widths = NO_WIDTHS): string {
  const track = (column: Column) => (widths[column] === undefined ? COLUMNS[column].width : `${widths[column]}px`);
  return [`${LAMP}px`, ...columns.map(track)].join(" ");
}

/** The widths that were remembered, by whatever version; undefined where there is none. */
export function readWidths(remembered: unknown): Widths | undefined {
  if (typeof remembered !== "object" || remembered === null) return undefined;
  const known = Object.entries(remembered).filter(([column, px]) => Object.hasOwn(COLUMNS, column) && isSized(column as Column) && Number.isFinite(px));
  return known.length === 0 ? undefined : Object.fromEntries(known.map(([column, px]) => [column, widthOf(px as number)]));
}

/** The columns that were remembered, by whatever version; undefined for those that a list usually has. A list without the tool would tell nothing. */
export function readColumns(remembered: unknown): readonly Column[] | undefined {
  if (!Array.isArray(remembered)) return undefined;
  const known = [...new Set(remembered as unknown[])].filter((column): column is Column => typeof column === "string" && Object.hasOwn(COLUMNS, column));
  const columns: readonly Column[] = known.length === 0 ? USUAL_COLUMNS : known.includes("tool") ? known : ["tool", ...known];
  return columns.join() === USUAL_COLUMNS.join() ? undefined : columns;
}
