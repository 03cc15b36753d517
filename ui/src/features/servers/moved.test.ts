import { describe, expect, it } from "vitest";

import { aServer } from "../../test/samples";
import type { ServerView } from "../../types";
import { draftOf } from "./draft";
import { forgetsSignIn, takenAlong } from "./moved";

const ACCESS: ServerView["access"] = { caCertificates: [], signIn: { clientId: "signalbox", scopes: [], machine: false } };

describe("as whom we sign in", () => {
  type Case = [string, ServerView["access"], ServerView["transport"], Parameters<typeof forgetsSignIn>[1], boolean];
  const http: ServerView["transport"] = { kind: "http", url: "https://ci.example.com/mcp", headers: [] };
  const program: ServerView["transport"] = { kind: "stdio", command: "node", args: [], env: [] };
  const nothing: ServerView["access"] = { caCertificates: [], signIn: { scopes: [], machine: false } };

  it.each<Case>([
    ["the same host", ACCESS, http, { kind: "http", url: "https://ci.example.com/other" }, false],
    ["another host", ACCESS, http, { kind: "http", url: "https://elsewhere.example.com/mcp" }, true],
    ["a program in place of a URL", ACCESS, http, { kind: "stdio", url: "" }, true],
    ["a URL in place of a program", ACCESS, program, { kind: "http", url: "https://ci.example.com/mcp" }, true],
    ["another command", ACCESS, program, { kind: "stdio", url: "" }, false],
    ["nothing that could be forgotten", nothing, http, { kind: "stdio", url: "" }, false],
  ])("is forgotten as the owner does: %s", (_, access, transport, draft, forgets) => {
    expect(forgetsSignIn(aServer({ access, transport }), draft)).toBe(forgets);
  });
});

describe("the headers of the old host", () => {
  const server = aServer({
    transport: {
      kind: "http",
      url: "https://ci.example.com/mcp",
      headers: [
        ["Authorization", { kind: "keychain", entry: "ci/1" }],
        ["X-Team", { kind: "plain", value: "ops" }],
      ],
    },
  });
  const before = draftOf(server);
  const elsewhere = { ...before, url: "https://elsewhere.example.com/mcp" };

  it("are named where they go to another", () => {
    expect(takenAlong(server, elsewhere)).toEqual(["Authorization", "X-Team"]);
  });

  it("are not where a person gave them anew, or took them out", () => {
    const [first, second] = elsewhere.headers;
    if (!first || !second) throw new Error("there are two");
    expect(takenAlong(server, { ...elsewhere, headers: [{ ...first, source: "literal" }] }), "one is typed anew").toEqual([]);
    expect(takenAlong(server, { ...elsewhere, headers: [second] })).toEqual(["X-Team"]);
  });

  it("are not while they stay where they were", () => {
    for (const url of [before.url, "https://ci.example.com/other", "https://"]) {
      expect(takenAlong(server, { ...before, url }), url).toEqual([]);
    }
    expect(takenAlong(server, { ...elsewhere, kind: "stdio" }), "a program gets none").toEqual([]);
  });
});
