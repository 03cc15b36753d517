import type { Code, NoteCode } from "../types";

/** A headline for every error code. The desk's own message, which knows the particulars, stands below it. */
export const CODES: Record<Code, string> = {
  usage: "That cannot be done this way",
  unknown_server: "No server with that name",
  name_taken: "Another server has that name",
  already_followed: "This task is followed already",
  server_disabled: "The server is switched off",
  not_trusted: "Its command was not confirmed",
  unknown_tool: "The server offers no such tool",
  unknown_item: "No such task or question",
  ambiguous: "That means several tasks",
  already_closed: "It is already over",
  answered_meanwhile: "It was answered meanwhile",
  cancelled_meanwhile: "Somebody else decided on cancelling it meanwhile",
  live_tasks: "The server has tasks under way",
  invalid_content: "Some values do not fit",
  input_needed: "Values are missing",
  unreachable: "The server cannot be reached",
  spawn_failed: "The server's program did not start",
  browser_failed: "No browser could be started",
  not_mcp: "Something answers there, but it is not an MCP server",
  legacy_only: "The server speaks only a version of MCP that Signalbox does not know",
  sign_in_needed: "The server wants a sign-in",
  throttled: "The server asked to slow down",
  timed_out: "No answer in time",
  lost: "Sent, but the answer was lost: it may have arrived",
  server_error: "The server answered with an error",
  protocol_error: "The server's answer is against the specification",
  too_large: "A message is larger than the limit in the settings",
  asks_too_much: "The server asks more than is taken",
  not_possible: "The question does not take this answer",
  not_supported: "This is not supported",
  no_keychain: "There is no keychain to keep a secret in",
  secrets_locked: "Secrets are locked",
  secret_missing: "A referenced secret is not there",
  storage_full: "The disk is full",
  storage_damaged: "The data directory is damaged",
  storage_gone: "The database or its lock was moved or deleted under Signalbox",
  storage_newer: "The data directory was written by a newer version",
  storage_denied: "The data directory cannot be read or written",
  storage_in_use: "Another program holds the data directory and does not answer",
  owner_gone: "The program that holds the data directory went away",
  version_mismatch: "The program that holds the data directory has another version",
  needs_owner: "The server would end with this command",
  notifications_failed: "Notifications do not work here",
  internal: "A fault in Signalbox",
};

/** What a trouble of our own means, and what to do about it, where its message does not say so. */
export const TROUBLE_ADVICE: Partial<Record<Code, string>> = {
  notifications_failed: "Questions and the ends of tasks still show in this window.",
};

/** What to do in this window about a code, where its message alone does not say so. */
export const CODE_ADVICE: Partial<Record<Code | NoteCode, string>> = {
  no_keychain: "Unlock the keychain, or choose in Settings where else secrets are kept.",
  secrets_locked: "Unlock the encrypted file that keeps them: the button is in Settings.",
};

/** The headline of what is kept of a task or a server; undefined where a later version kept it, whose words we lack. */
export function headline(code: NoteCode): string | undefined {
  return code === "unknown" ? undefined : CODES[code];
}
