import { useLayoutEffect, useRef } from "react";

import { select } from "../../places/nav";
import type { RowWindow } from "../../store/useRows";
import type { RequestId, View } from "../../types";

/**
 * Keeps in hand what the list has. Where a person lists something else that is without the question in hand, the first of that
 * comes in its place, or none. What the world does to a list moves nothing: below the list stands what has left it.
 *
 * `scope` says what is listed; undefined while that is not known.
 */
export function useFollowing(scope: string | undefined, rows: RowWindow<Extract<View, { type: "inbox" }>>, request: RequestId | null): void {
  const followed = useRef(scope);
  const { status, data } = rows.viewed;
  // Just after a start a filter finds more and more. Where full texts cannot be looked through it finds no more than it has.
  const page = status === "ready" && (data?.complete === true || data?.fault !== undefined) ? data : undefined;
  useLayoutEffect(() => {
    // Whoever comes here with a question in hand has asked to see it.
    followed.current ??= scope;
    if (scope === undefined || scope === followed.current || page === undefined) return;
    followed.current = scope;
    if (request !== null && !page.rows.some((row) => row.id === request)) select({ request: page.rows[0]?.id ?? null });
  }, [scope, page, request]);
}
