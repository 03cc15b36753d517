import { describe, expect, it } from "vitest";

import { aServer } from "../../test/samples";
import type { Secret, Transport } from "../../types";
import { argumentsOf, draftOf, emptyRow, gapsOf, transportOf, EMPTY_DRAFT, type SecretRow } from "./draft";

const none = () => "";
const row = (change: Partial<SecretRow>): SecretRow => ({ id: 0, name: "", source: "literal", where: "", ...change });
const words = { name: "name", url: "url", command: "command", rowName: "row name", rowValue: "row value", rowSure: "row sure" };

describe("arguments", () => {
  it.each([
    ["", []],
    ["demo\nstdio", ["demo", "stdio"]],
    ["demo\nstdio\n", ["demo", "stdio"]],
    ["  two blanks \n\"quoted\" $HOME", ["  two blanks ", '"quoted" $HOME']],
    ["a\n\nb", ["a", "", "b"]],
    ["\n", [""]],
  ])("%j means %j", (lines, args) => expect(argumentsOf(lines)).toEqual(args));
});

describe("a server that is being changed", () => {
  const transports: Transport[] = [
    { kind: "http", url: "https://ci.example.com/mcp", headers: [["Authorization", { kind: "keychain", entry: "ci/Authorization" }], ["X-Team", { kind: "env", var: "TEAM" }]] },
    { kind: "stdio", command: "serve", args: ["--name", " spaced ", "", ""], env: [["TOKEN", { kind: "file", path: "/etc/token" }]], cwd: "/srv" },
    { kind: "stdio", command: "serve", args: [], env: [["MODE", { kind: "plain", value: " fast " }], ["MY_KEY", { kind: "plain", value: "" }]] },
    { kind: "stdio", command: "serve", args: [""], env: [] },
  ];
  it.each(transports)("stays as it is when nothing is changed: %j", (transport) => {
    // What is plain was said to be none twice, if that was needed: it is not asked for again.
    const references = (secrets: [string, Secret][]) =>
      secrets.map(([name, secret]) => [name, secret.kind === "plain" ? { ...secret, sure: true } : { kind: "reference", secret }]);
    const expected =
      transport.kind === "http" ? { ...transport, headers: references(transport.headers) } : { ...transport, env: references(transport.env) };
    expect(transportOf(draftOf(aServer({ transport })), none)).toEqual(expected);
  });
});

describe("what is missing", () => {
  it("is named where it is missing, and a line without anything counts as not there", () => {
    expect([...gapsOf(EMPTY_DRAFT, none, words)]).toEqual([["name", "name"], ["url", "url"]]);
    expect([...gapsOf({ ...EMPTY_DRAFT, name: "x", kind: "stdio" }, none, words)]).toEqual([["command", "command"]]);
    const headers = [row({ id: 0 }), row({ id: 1, name: "A" }), row({ id: 2, source: "env", where: "V" }), row({ id: 3, name: "B", source: "file", where: "f" })];
    const draft = { ...EMPTY_DRAFT, name: "x", url: "u", headers };
    expect([...gapsOf(draft, none, words)]).toEqual([["row-1", "row value"], ["row-2", "row name"]]);
    expect(transportOf({ ...draft, headers: [row({}), row({ id: 3, name: " B ", source: "file", where: " f " })] }, none)).toEqual({
      kind: "http",
      url: "u",
      headers: [["B", { kind: "reference", secret: { kind: "file", path: "f" } }]],
    });
  });

  it("is the second word that a name takes which sounds like a secret", () => {
    const env = [row({ id: 0, name: "API_KEY", source: "plain", plain: "x" }), row({ id: 1, name: "LOG", source: "plain", plain: "" })];
    const draft = { ...EMPTY_DRAFT, name: "x", kind: "stdio" as const, command: "c", env };
    expect([...gapsOf(draft, none, words)]).toEqual([["row-0", "row sure"]]);
    const sure = { ...draft, env: env.map((one) => ({ ...one, sure: true })) };
    expect([...gapsOf(sure, none, words)]).toEqual([]);
  });

  it("never gives two lines one id", () => {
    expect(emptyRow([]).id).toBe(0);
    expect(emptyRow([row({ id: 4 }), row({ id: 1 })]).id).toBe(5);
  });
});
