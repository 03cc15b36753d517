// The lines of a tree of JSON: those that are open, in order.

import { childrenOf, countOf, type Child, type Place } from "./level";

/** Children that are shown at first, and with each wish for more. */
export const PAGE = 100;
/** Lines that are shown at once. */
export const MOST_LINES = 2_000;

/** A line: a value, or the wish for more children of one. */
export interface TreeLine {
  /** Where it begins in the text tells lines apart. */
  id: string;
  /** The line that it stands under; -1 for the first. */
  parent: number;
  /** From 1. */
  level: number;
  value?: Child;
  /** Its place in a list, from 0. */
  index?: number;
  /** How many children an object or an array has. */
  size: number;
  open: boolean;
  /** How many children the line's parent has, beyond those that are shown. */
  left?: number;
  /** Its place among its siblings, from 1, and how many those are. */
  place: number;
  of: number;
}

/** What of a tree is open: for each value that is, how many of its children are shown. */
export type Open = ReadonlyMap<number, number>;

/** What is short is open whole at first, and of what is longer the outer levels: in so many lines. */
const AT_FIRST = 40;

/** What is open before a person opens anything. */
export function openAtFirst(json: string, root: Place): Open {
  const open = new Map([[root.start, PAGE]]);
  let lines = 1 + countOf(json, root);
  const outer = [root];
  for (let value = outer.shift(); value && lines < AT_FIRST; value = outer.shift()) {
    for (const child of childrenOf(json, value, PAGE).children) {
      if (child.kind !== "object" && child.kind !== "array") continue;
      const size = countOf(json, child);
      if (size === 0 || lines + size > AT_FIRST) continue;
      lines += size;
      open.set(child.start, PAGE);
      outer.push(child);
    }
  }
  return open;
}

/** Whether there is something in it to be seen. */
export function opens(value: Place, size: number): boolean {
  return size > 0 || (value.kind === "string" && value.end - value.start > STRING);
}

/** So many characters of a string are shown on its line. */
export const STRING = 160;

interface Level {
  parent: Place;
  line: number;
  level: number;
  children: Child[];
  size: number;
  at: number;
}

/** The lines that are in sight. Nothing calls itself: values may be nested as deep as they like. */
export function linesOf(json: string, root: Place, open: Open): TreeLine[] {
  const lines: TreeLine[] = [];
  const stack: Level[] = [];
  const add = (value: Child, parent: number, level: number, place: number, of: number, index?: number) => {
    const size = countOf(json, value);
    const shown = open.get(value.start);
    const isOpen = shown !== undefined && opens(value, size);
    lines.push({ id: String(value.start), parent, level, value, size, open: isOpen, place, of, ...(index !== undefined && { index }) });
    if (isOpen && size > 0) {
      const { children } = childrenOf(json, value, shown);
      stack.push({ parent: value, line: lines.length - 1, level: level + 1, children, size, at: 0 });
    }
  };
  add(root, -1, 1, 1, 1);
  while (stack.length > 0 && lines.length < MOST_LINES) {
    const top = stack[stack.length - 1];
    if (!top) break;
    const child = top.children[top.at];
    top.at += 1;
    if (child) add(child, top.line, top.level, top.at, top.size, top.parent.kind === "array" ? top.at - 1 : undefined);
    else {
      stack.pop();
      const left = top.size - top.children.length;
      if (left > 0) lines.push({ id: `more-${top.parent.start}`, parent: top.line, level: top.level, size: 0, open: false, left, place: top.size, of: top.size });
    }
  }
  return lines;
}
