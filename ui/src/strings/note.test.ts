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
