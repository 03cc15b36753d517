import { useCallback, useEffect, useState } from "react";

import { useHost } from "../host/context";
import { DeskError } from "../host/error";
import type { Command } from "../types";
import { call, type ReplyTo } from "./call";

/** What was asked once for something on the screen; neither reply nor error while it is asked for. */
export interface Asked<R> {
  reply: R | undefined;
  error: DeskError | undefined;
  reload: () => void;
}

/** Carries out a command that only asks, once for all commands that are equal to it. None is asked without one. */
export function useReply<C extends Command>(command: C | undefined): Asked<ReplyTo<C>> {
  const host = useHost();
  const wish = command && JSON.stringify(command);
  const [answer, setAnswer] = useState<{ wish: string; reply?: ReplyTo<C>; error?: DeskError }>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (wish === undefined) return;
    let left = false;
    call(host, JSON.parse(wish) as C).then(
      (reply) => !left && setAnswer({ wish, reply }),
      (thrown: unknown) => !left && setAnswer({ wish, error: DeskError.from(thrown) }),
    );
    return () => {
      left = true;
    };
  }, [host, wish, round]);
  const reload = useCallback(() => {
    setAnswer(undefined);
    setRound((n) => n + 1);
  }, []);
  const current = answer?.wish === wish ? answer : undefined;
  return { reply: current?.reply, error: current?.error, reload };
}
