import { useEffect, useRef } from "react";

import { announce } from "../../store/announce";
import type { Rows } from "../../store/page";

/** Says how many rows are left when somebody has narrowed a list, once that is known; not at the first look, nor when rows come and go. */
export function useSaidCount(narrowed: string | undefined, rows: Pick<Rows<unknown>, "total" | "complete"> | undefined, words: (n: number) => string): void {
  const last = useRef<string>(undefined);
  const total = rows?.complete === true ? rows.total : undefined;
  useEffect(() => {
    if (narrowed === undefined || total === undefined) return;
    if (last.current !== undefined && last.current !== narrowed) announce("list", () => `${words(total)}.`);
    last.current = narrowed;
  }, [narrowed, total, words]);
}
