import { useState } from "react";

import type { Rows } from "../../store/page";
import { useView, type Viewed } from "../../store/useView";
import type { TaskFilter, TaskRow, View } from "../../types";

const STEP = 100;
const LIMIT = 3 * STEP;

type TasksView = Extract<View, { type: "tasks" }>;

interface Window {
  offset: number;
  data: Rows<TaskRow>;
}

/** The part of the task list that is held here. */
export interface TaskWindow {
  viewed: Viewed<TasksView>;
  /** What is shown: while another window is on its way, the last one. */
  shown: Rows<TaskRow> | undefined;
  /** A row by its number in the whole list; undefined while it is on its way. */
  rowAt: (row: number) => TaskRow | undefined;
  /** The number of a task; -1 when it is not among the rows held here. */
  numberOf: (id: string | null) => number;
}

/** Holds a window of rows around `firstRow`, however long the list is. */
export function useTaskWindow(filter: TaskFilter, firstRow: number): TaskWindow {
  const offset = Math.max(0, Math.floor(firstRow / STEP) - 1) * STEP;
  const viewed = useView<TasksView>({ type: "tasks", filter, offset, limit: LIMIT });
  const [last, setLast] = useState<Window>();
  if (viewed.data && viewed.data !== last?.data) setLast({ offset, data: viewed.data });

  const window = viewed.data ? { offset, data: viewed.data } : last;
  return {
    viewed,
    shown: window?.data,
    rowAt: (row) => (window ? window.data.rows[row - window.offset] : undefined),
    numberOf: (id) => {
      const found = id === null || !window ? -1 : window.data.rows.findIndex((row) => row.id === id);
      return found < 0 || !window ? -1 : found + window.offset;
    },
  };
}
