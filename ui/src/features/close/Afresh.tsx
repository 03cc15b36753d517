import { useCallback, useEffect, useRef } from "react";

import { useHost } from "../../host/context";
import type { CloseRequest } from "../../host/host";
import { useClock } from "../../store/clock";
import { nothing } from "./nothing";

interface Props {
  /** What was asked about: it says how much is to end. */
  request: CloseRequest;
  onSeen: (stops: CloseRequest) => void;
}

/** Looks once a second what stops, one look at a time: work goes on while the person reads. */
export function Afresh({ request: { follower, quits }, onSeen }: Props) {
  const host = useHost();
  const looking = useRef(false);
  const second = useClock(useCallback((now: number) => Math.floor(now / 1000), []));
  useEffect(() => {
    if (looking.current) return;
    looking.current = true;
    host
      .whatStops(quits)
      // Nothing stops, or no more.
      .then((stops) => onSeen(stops ?? nothing({ follower, quits })))
      // What was seen before stays.
      .catch(() => undefined)
      .finally(() => (looking.current = false));
  }, [host, onSeen, second, follower, quits]);
  return null;
}
