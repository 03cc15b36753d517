import { useCallback, useState } from "react";

import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import { call } from "../../store/call";
import type { ServerCheck, ServerId, Timestamp } from "../../types";

/** How the last check of a server went; neither result nor error while it is under way. */
export interface Check {
  found?: ServerCheck;
  /** When it was over. */
  at?: Timestamp;
  error?: DeskError;
}

/** Checks servers, and keeps how the last check of each went while the place is on screen. */
export function useCheck(): { checkOf: (server: ServerId) => Check | undefined; check: (server: ServerId) => void } {
  const host = useHost();
  const [checks, setChecks] = useState<ReadonlyMap<ServerId, Check>>(new Map());
  const check = useCallback(
    (server: ServerId) => {
      const set = (value: Check) => setChecks((before) => new Map(before).set(server, value));
      set({});
      call(host, { type: "check_server", server }).then(
        (reply) => set({ found: reply.check, at: new Date().toISOString() }),
        (thrown: unknown) => set({ error: DeskError.from(thrown) }),
      );
    },
    [host],
  );
  return { checkOf: (server) => checks.get(server), check };
}

/** Whether a check is under way. */
export function isChecking(check: Check | undefined): boolean {
  return check !== undefined && check.found === undefined && check.error === undefined;
}
