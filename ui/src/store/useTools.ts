import { useCallback, useEffect, useState } from "react";

import { useHost } from "../host/context";
import { DeskError } from "../host/error";
import type { ServerId, ToolView } from "../types";
import { call } from "./call";

/** The tools of a server; neither tools nor error while they are asked for. */
export interface Tools {
  tools: ToolView[] | undefined;
  error: DeskError | undefined;
  reload: () => void;
}

interface Answer {
  server: ServerId;
  tools?: ToolView[];
  error?: DeskError;
}

/** Asks a server for its tools. */
export function useTools(server: ServerId | undefined): Tools {
  const host = useHost();
  const [answer, setAnswer] = useState<Answer>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (server === undefined) return;
    let left = false;
    call(host, { type: "tools", server }).then(
      (reply) => !left && setAnswer({ server, tools: reply.tools }),
      (thrown: unknown) => !left && setAnswer({ server, error: DeskError.from(thrown) }),
    );
    return () => {
      left = true;
    };
  }, [host, server, round]);
  const reload = useCallback(() => {
    setAnswer(undefined);
    setRound((n) => n + 1);
  }, []);
  const current = answer?.server === server ? answer : undefined;
  return { tools: current?.tools, error: current?.error, reload };
}
