import { useCallback } from "react";

import { useClock } from "../store/clock";
import type { ServerView } from "../types";
import { signalOfServer, type Signal } from "./lamp";
import { StatusLamp } from "./StatusLamp";

/** How a server shows now; it ages by itself. */
export function useServerSignal(server: ServerView): Signal {
  const word = useClock(useCallback((now: number) => signalOfServer(server, now).word, [server]));
  const lamp = useClock(useCallback((now: number) => signalOfServer(server, now).lamp, [server]));
  const faded = useClock(useCallback((now: number) => signalOfServer(server, now).faded === true, [server]));
  const brief = useClock(useCallback((now: number) => signalOfServer(server, now).brief ?? "", [server]));
  return { lamp, word, ...(brief !== "" && { brief }), ...(faded && { faded }) };
}

/** The lamp of a server: the same shapes everywhere. With `spoken` its word is said where none stands beside it. */
export function ServerLamp({ signal, spoken = false }: { signal: Signal; spoken?: boolean }) {
  return <StatusLamp lamp={signal.lamp} faded={signal.faded} {...(spoken && { word: signal.word })} />;
}
