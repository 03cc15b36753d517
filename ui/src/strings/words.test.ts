import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { ACTION_IDS } from "../actions/table";
import { CODES } from "./codes";
import { actions } from "./en/actions";
import { servers } from "./en/servers";
import * as words from "./words";

/** The members of a generated union of strings, read from the bindings themselves. */
function members(type: string): string[] {
  const source = readFileSync(join(import.meta.dirname, "../generated", `${type}.ts`), "utf8");
  const union = source.slice(source.indexOf("export type"));
  return [...union.matchAll(/"([A-Za-z_]+)"/g)].map((match) => match[1] ?? "");
}

const TABLES: [string, Record<string, string>][] = [
  ["Code", CODES],
  ["Status", words.STATUS],
  ["Outcome", words.OUTCOME],
  ["Outcome", words.OUTCOME_MEANS],
  ["Outcome", words.OUTCOME_ADVICE],
  ["Tracking", words.TRACKING],
  ["RequestState", words.REQUEST_STATE],
  ["CloseReason", words.CLOSE_REASON],
  ["EventKind", words.EVENT],
  ["UrlWarning", words.URL_WARNING],
  ["Why", words.WHY],
  ["Retry", words.RETRY],
  ["NoteCode", servers.advice],
];

describe("the catalogue", () => {
  it.each(TABLES)("has words for every %s, and for nothing else", (type, table) => {
    expect(Object.keys(table).sort()).toEqual(members(type).sort());
  });

  it("has a label for every action, and for nothing else", () => {
    expect(Object.keys(actions).sort()).toEqual([...ACTION_IDS].sort());
  });

  it("has a headline for every error code", () => {
    for (const [code, words] of Object.entries(CODES)) expect(words.trim(), code).not.toBe("");
  });
});
