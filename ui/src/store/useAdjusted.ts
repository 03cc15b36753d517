import type { Dispatch, SetStateAction } from "react";

type State<S> = readonly [S, Dispatch<SetStateAction<S>>];

/**
 * State that follows what is rendered. `adjust` says what it has to be now; where that is another value, the state is set while
 * rendering, so that nothing out of date is ever painted. `adjust` must give its own answer back unchanged.
 */
export function useAdjusted<S>([held, set]: State<S>, adjust: (held: S) => S): State<S> {
  const now = adjust(held);
  if (!Object.is(now, held)) set(() => now);
  return [now, set];
}
