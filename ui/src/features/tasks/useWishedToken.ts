import { useEffect, useEffectEvent } from "react";

import { tokenTaken, useNav } from "../../places/nav";

/** Hands over the token that somebody wants the list of tasks narrowed by, once. */
export function useWishedToken(onToken: (token: string) => void): void {
  const token = useNav((nav) => nav.token);
  const take = useEffectEvent(() => {
    if (token === null) return;
    tokenTaken();
    onToken(token);
  });
  useEffect(() => take(), [token]);
}
