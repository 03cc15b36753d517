import { describe, expect, it } from "vitest";

import type { Event, StatusNote, Unconfirmed } from "../types";
import { noteWords, saidWords } from "./note";

describe("why something is as it is", () => {
  it("is said with its values, and what follows from it", () => {
    const note: StatusNote = { code: "server_error", reason: { kind: "error_answer", error: -32000, said: "Busy." }, then: "answers_delayed" };
    expect(noteWords(note)).toBe("The server answered with error -32000: Busy. The answers do not get through. They are sent again, less and less often");
  });

  it("is what an earlier version said, where that kept a sentence", () => {
    expect(noteWords({ code: "lost", reason: { kind: "said", message: "The answer was lost" } })).toBe("The answer was lost");
  });

  it("says what is wrong with an answer, and as it stands what an earlier version kept of that", () => {
    const of = (reason: StatusNote["reason"]): string => noteWords({ code: "protocol_error", reason });
    expect(of({ kind: "breaks_specification", breach: { rule: "endless_list", of: "tools" } })).toBe(
      "The server's answer breaks the specification: its list of tools does not end, since a cursor in it is illegible or repeated",
    );
    expect(of({ kind: "breaks_specification", breach: { rule: "version_refused", version: "2025-06-18", error: -32601, said: "not today" } })).toContain(
      'does not take "initialize": it answered with error -32601: not today',
    );
    expect(of({ kind: "against_specification", said: "the result is no object" })).toBe("The server's answer breaks the specification: the result is no object");
    expect(of({ kind: "not_the_answer", stray: "no_message" })).toContain("(it is not a JSON-RPC message)");
    expect(of({ kind: "more_than_taken", of: "statement", most: 262144, unit: "bytes" })).toContain("what it says of itself has more than 256 KiB");
  });

  it("says what was in the way: our obstacles in words of this window, the words of others as they are", () => {
    const of = (reason: StatusNote["reason"]): string => noteWords({ code: "unreachable", reason });
    expect(of({ kind: "unreachable", said: { is: "statement_lost", said: { is: "only_status", status: 502 } } })).toBe("The server cannot be reached: its answer was lost (HTTP 502 without an answer)");
    expect(of({ kind: "unreachable", said: "Connection refused (os error 111)" })).toBe("The server cannot be reached: Connection refused (os error 111)");
    expect(of({ kind: "not_started", program: "npx", said: { is: "no_folder", folder: "/srv" } })).toBe('The program "npx" could not be started: there is no directory /srv to start it in');
    expect(of({ kind: "secret_missing", said: { is: "not_kept", entry: "lab/token" } })).toContain("nothing is kept any more as lab/token");
    expect(of({ kind: "unreachable", said: { is: "bad_certificate", flaw: "expired", said: "CertExpired" } })).toContain("has expired");
  });

  it("says what came from something that is no MCP server", () => {
    const of = (to?: string): StatusNote => ({ code: "not_mcp", reason: { kind: "not_mcp", gave: "redirect", status: 302, ...(to !== undefined && { to }) } });
    expect(noteWords(of("https://b.example/"))).toContain("(HTTP 302): it returned a redirect to https://b.example/,");
    expect(noteWords(of())).toContain("it returned a redirect, which");
  });
});

describe("a command that is not confirmed", () => {
  const of = (rest: Partial<Unconfirmed>): StatusNote => ({ code: "not_trusted", reason: { kind: "not_trusted", command: ["npx", "a server"], variables: [], ...rest } });

  it("is said as the command line says it: all that would be run", () => {
    const variables = [{ name: "API_KEY" }, { name: "MODE", value: "fast" }];
    expect(noteWords(of({ cwd: "/srv/a b", variables }))).toBe(
      'Its command is not confirmed, and is not run before that: "npx" "a server" in "/srv/a b", with the environment variables "API_KEY", "MODE" = "fast"',
    );
    expect(noteWords(of({}))).toBe('Its command is not confirmed, and is not run before that: "npx" "a server" in your home directory');
  });
});

describe("what stands beside an entry of a timeline", () => {
  const entry = (rest: Partial<Event>): Event => ({ call: "t1", at: "2026-11-25T10:00:00.000Z", kind: "lapsed", ...rest });

  it("is why an answer was not sent, in words of this window", () => {
    expect(saidWords(entry({ text: "connection_gone" }))).toBe("Its connection is gone");
    expect(saidWords(entry({ text: "Its connection was gone" })), "an entry of before").toBe("Its connection was gone");
    expect(saidWords(entry({ kind: "status", text: "too_late" })), "a server may say that").toBe("too_late");
  });

  it("is its note, where it has one", () => {
    expect(saidWords(entry({ kind: "trouble", note: { code: "unreachable", reason: { kind: "closed" } } }))).toBe("The connection was closed");
    expect(saidWords(entry({ kind: "called" }))).toBeUndefined();
  });
});
