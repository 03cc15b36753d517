import type { Code, NoteCode } from "../types";

/** A headline for every error code. The desk's own message, which knows the particulars, stands below it. */
export const CODES: Record<Code, string> = {
  usage: "That cannot be done this way",
  unknown_server: "No server with that name",
  name_taken: "Another server has that name",
  already_followed: "This task is followed already",
  server_disabled: "The server is switched off",
  not_trusted: "The server's command is not confirmed",
  unknown_tool: "The server offers no such tool",
  unknown_item: "No such task or question",
  ambiguous: "More than one task matches",
  already_closed: "The task or question is already over",
  answered_meanwhile: "The question was answered in the meantime",
  changed_meanwhile: "The question has changed since you saw it",
  cancelled_meanwhile: "The request to cancel changed in the meantime",
  live_tasks: "The server still has tasks under way",
  invalid_content: "Some values do not fit",
  input_needed: "Values are missing",
  unreachable: "The server cannot be reached",
  spawn_failed: "The server's program did not start",
  browser_failed: "No browser could be started",
  not_mcp: "Something answers there, but it is not an MCP server",
  legacy_only: "The server speaks no version of MCP that Signalbox knows",
  sign_in_needed: "The server requires a sign-in",
  throttled: "The server asked Signalbox to slow down",
  timed_out: "No answer in time",
  lost: "The request may have arrived, but its answer was lost",
  server_error: "The server answered with an error",
  protocol_error: "The server's answer breaks the specification",
  too_large: "A message is larger than the limit in the settings",
  asks_too_much: "The server asks more or longer questions than Signalbox takes",
  not_possible: "That cannot be done with this question",
  no_page: "This question has no page to open",
  not_supported: "Not supported",
  no_keychain: "The place for secrets cannot be used",
  secrets_locked: "Secrets are locked",
  secret_missing: "A secret is missing or cannot be used",
  storage_full: "The disk is full",
  storage_damaged: "The data directory is damaged, or its disk fails",
  storage_gone: "The database or its lock was moved or deleted while in use",
  storage_newer: "The data directory was written by a newer version of Signalbox",
  storage_denied: "The data directory cannot be used",
  storage_in_use: "Another program holds the data directory and does not answer",
  owner_gone: "The program that held the data directory has gone",
  version_mismatch: "The program that holds the data directory is another version of Signalbox",
  owner_newer: "The program that holds the data directory is a newer version of Signalbox",
  needs_owner: "The window or `signalbox serve` is needed for this",
  notifications_failed: "Notifications do not work here",
  internal: "Something went wrong inside Signalbox",
};

/** What a trouble of our own means, and what to do about it, where its message does not say so. */
export const TROUBLE_ADVICE: Partial<Record<Code, string>> = {
  notifications_failed: "This window still shows questions and ended tasks.",
};

/**
 * What to do where the data directory could not be opened, so that there is nothing to show. What only the command line
 * can do is said as such; how, its own help and advice say.
 */
export const OPEN_ADVICE: Partial<Record<Code, string>> = {
  storage_full: "Free some space. If nothing shows after that, start Signalbox again.",
  storage_damaged:
    "Close this window and check the disk. Then use the command line: it can bring back a backup, or save what can still be read.",
  storage_denied:
    "Put that right, or start Signalbox with another data directory. While the files can be read, the command line can still export, check and back them up.",
  version_mismatch: "Restart it here if it is the background program. If it is another window, close that one. Then this window goes on.",
  owner_newer: "Close this window and open the newer Signalbox. To go on with this one, quit the newer one first.",
};

/** What to do in this window about a code, where its message alone does not say so. */
export const CODE_ADVICE: Partial<Record<Code | NoteCode, string>> = {
  no_keychain: "Unlock the keychain, or choose another place for secrets in Settings.",
  secrets_locked: "Unlock the encrypted file with the button in Settings.",
  changed_meanwhile: "Read the question again before you answer. Anything you filled in is kept.",
};

/** The headline of what is kept of a task or a server; undefined where a later version kept it, whose words we lack. */
export function headline(code: NoteCode): string | undefined {
  return code === "unknown" ? undefined : CODES[code];
}
