import { useCallback, useState } from "react";

import { useHost } from "../host/context";
import { DeskError } from "../host/error";
import type { Host } from "../host/host";
import type { Command, Reply } from "../types";

/** Which reply each command gets. */
const REPLIES = {
  add_server: "server",
  read_configurations: "importable",
  import_servers: "imported",
  start_demo: "demo_started",
  remove_demo: "demo_removed",
  read_pasted: "pasted",
  edit_server: "server",
  pass_variables: "server",
  seen_withheld: "done",
  set_roots: "server",
  trust_server: "server",
  set_access: "server",
  rename_server: "server",
  set_server_enabled: "server",
  remove_server: "done",
  check_server: "check",
  sign_in: "sign_in",
  await_sign_in: "check",
  sign_out: "signed_out",
  tools: "tools",
  tool: "tool",
  start: "started",
  track: "started",
  list_tasks: "listed",
  find: "found",
  refresh: "done",
  cancel: "done",
  forget: "done",
  answer: "done",
  settle: "done",
  undo: "done",
  take_back_held: "done",
  begin_visit: "page",
  end_visit: "done",
  put_away: "done",
  validate: "validated",
  validate_arguments: "validated",
  save_draft: "done",
  payload: "payload",
  export: "portion",
  verify: "verified",
  check_store: "problems",
  backup: "backed_up",
  secrets: "secrets",
  keep_secrets: "secrets_moved",
  unlock_secrets: "secrets",
  set_settings: "done",
  set_front: "done",
  bring_forward: "done",
  diagnostics: "text",
  test_notification: "done",
} as const satisfies Record<Command["type"], Reply["type"]>;

/** The reply to command `C`. */
export type ReplyTo<C extends Command> = Extract<Reply, { type: (typeof REPLIES)[C["type"]] }>;

/** Carries out a command. Rejects with a {@link DeskError}. */
export async function call<C extends Command>(host: Host, command: C): Promise<ReplyTo<C>> {
  try {
    const answered = await host.ask({ ask: "call", command });
    if (answered.answered === "reply" && answered.reply.type === REPLIES[command.type]) {
      return answered.reply as ReplyTo<C>;
    }
  } catch (thrown) {
    throw DeskError.from(thrown);
  }
  throw new Error("BUG: the reply is not the command's");
}

/** A command's way through the desk, for the button that starts it. */
export interface Act {
  /** Carries the command out; undefined when it failed, and `error` says why. */
  run: <C extends Command>(command: C) => Promise<ReplyTo<C> | undefined>;
  /**
   * Hands over what the desk keeps until it can go out: that it cannot yet is no failure, and what it belongs to shows that it
   * waits. False when it failed, and `error` says why.
   */
  hand: (command: Command) => Promise<boolean>;
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
    async (command: Command) => {
      const handed = await carryOut(() =>
        call(host, command).then(
          () => true,
          (thrown: unknown) => {
            if (thrown instanceof DeskError && thrown.retry === "queued") return true;
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
