import { useState } from "react";

import { useAdjusted } from "../../store/useAdjusted";
import { useDelayed } from "../../store/useDelayed";
import { useView } from "../../store/useView";
import type { Offer, View } from "../../types";
import { TYPING_MS } from "./useFilter";

type Wish = Omit<Extract<View, { type: "offers" }>, "type">;

const NONE: readonly Offer[] = [];

/**
 * What somebody who types a filter may mean: followed while it is looked at, since its numbers are of now. Whether it is known yet of
 * what is typed by now, too.
 */
export function useOffers(wish: Wish, open: boolean): { offers: readonly Offer[]; isOfNow: boolean } {
  const now = JSON.stringify(wish);
  const asked = useDelayed(now, TYPING_MS);
  const { data } = useView(open ? { type: "offers", ...(JSON.parse(asked) as Wish) } : undefined);
  // What is offered stays until more is known: a press must not meet an empty list.
  const [offers] = useAdjusted(useState(NONE), (last) => (open ? (data ?? last) : NONE));
  return { offers, isOfNow: asked === now && data !== undefined };
}
