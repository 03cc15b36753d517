import { useCallback, useState } from "react";

import { useHost } from "../host/context";
import { DeskError } from "../host/error";
import type { Host } from "../host/host";
import type { Command, Replies, Reply } from "../types";

/** The reply to command `C`. */
export type ReplyTo<C extends Command> = Extract<Reply, { type: Replies[C["type"]] }>;

/** Carries out a command. Rejects with a {@link DeskError}. */
export async function call<C extends Command>(host: Host, command: C): Promise<ReplyTo<C>> {
  try {
    const answered = await host.ask({ ask: "call", command });
    // An owner that speaks our protocol answers with the command's own reply: nobody reads it on its way here.
    if (answered.answered === "reply") return answered.reply as ReplyTo<C>;
  } catch (thrown) {
    throw DeskError.from(thrown);
  }
  throw new Error("BUG: an act was answered as a look");
}

/** A command's way through the desk, for the button that starts it. */
export interface Act {
  /** Carries the command out; undefined when it failed, and `error` says why. */
  run: <C extends Command>(command: C) => Promise<ReplyTo<C> | undefined>;
  /**
   * Hands over what the desk keeps until it can go out: that it cannot yet is no failure, and what it belongs to shows that it
   * waits. False when it failed, and `error` says why; so does what `onFailure` gets.
   */
  hand: (command: Command, onFailure?: (error: DeskError) => void) => Promise<boolean>;
  /** Whether a command is under way. */
  busy: boolean;
  /** Why the last command failed. */
  error: DeskError | undefined;
  /** Says that a reply is of no use, and why. */
  fail: (error: DeskError) => void;
  /** Forgets the error. */
  clear: () => void;
}

/** Carries out commands for one place in the window, and keeps how the last one went. */
export function useAct(): Act {
  const host = useHost();
  const [pending, setPending] = useState(0);
  const [error, setError] = useState<DeskError>();
  const carryOut = useCallback(async <T>(act: () => Promise<T>) => {
    setPending((n) => n + 1);
    setError(undefined);
    try {
      return await act();
    } catch (thrown) {
      setError(DeskError.from(thrown));
      return undefined;
    } finally {
      setPending((n) => n - 1);
    }
  }, []);
  const run = useCallback(<C extends Command>(command: C) => carryOut(() => call(host, command)), [carryOut, host]);
  const hand = useCallback(
    async (command: Command, onFailure?: (error: DeskError) => void) => {
      const handed = await carryOut(() =>
        call(host, command).then(
          () => true,
          (thrown: unknown) => {
            if (thrown instanceof DeskError && thrown.retry === "queued") return true;
            onFailure?.(DeskError.from(thrown));
            throw thrown;
          },
        ),
      );
      return handed ?? false;
    },
    [carryOut, host],
  );
  const clear = useCallback(() => setError(undefined), []);
  return { run, hand, busy: pending > 0, error, fail: setError, clear };
}
