import { readFileSync } from "node:fs";
import { join } from "node:path";

import { screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";

import { select } from "../../places/nav";
import { renderWith } from "../../test/render";
import type { Change } from "../../test/samples";
import type { RequestRow } from "../../types";
import { open } from "./openInbox";
import { RequestCard } from "./RequestCard";
import { aDetail, Desk } from "./samples";

const at = "2026-11-21T10:00:00Z";
const answer = { action: "accept", decidedAt: at, sendAt: at } as const;

/** What may come in a card, each as a server or the desk could send it. */
const ROWS: Record<string, Change<RequestRow>> = {
  "no words": { message: "", tool: "", summary: "", serverName: "" },
  "very long words": { message: "x".repeat(320), tool: "t".repeat(320), summary: "s".repeat(320), serverName: "n".repeat(320) },
  "many lines": { message: "one\n\ntwo\r\nthree\u2028four", summary: "a\nb\nc" },
  "marks above marks": { message: `Approve${"\u0301".repeat(300)}?` },
  "no call and no deadline": { call: undefined, expiresAt: undefined },
  "a page": { mode: "url", host: "h".repeat(253) },
  "a draft": { hasDraft: true },
  "an answer on its way": { state: "sending", answer },
  "an answer that was refused": { state: "refused", answer },
};

beforeEach(() => select({ request: null }));

it("is as high as any other card, whatever text comes", async () => {
  open(Object.values(ROWS).map((row, n) => aDetail({ ...row, id: `r${n}` })));
  const cards = await screen.findAllByRole("option");
  const heights = Object.keys(ROWS).map((what, n) => [what, cards[n]?.style.height]);
  expect(heights).toEqual(Object.keys(ROWS).map((what) => [what, "84px"]));
});

const read = (sheet: string) => readFileSync(join(import.meta.dirname, sheet), "utf8");
const css = read("RequestCard.module.css");

/** What the stylesheet says of a selector, in the first rule that is for it alone. */
function rule(selector: string, sheet = css): string {
  const start = sheet.indexOf(`\n${selector} {`);
  return sheet.slice(start, sheet.indexOf("}", start));
}

it("leaves no row of a card to its text: the stylesheet gives each its height", () => {
  const tracks = [...css.matchAll(/grid-template-rows: (.*);/g)].map(([, rows]) => rows);
  expect(tracks, "a title of one line and one of two share the same 60 px").toEqual(["20px 40px", "40px 20px"]);
  expect(rule(".card")).toContain("height: calc(84px - 1px)");
  for (const text of [".title", ".line,\n.state"]) expect(rule(text), `${text} is cut, not wrapped`).toContain("overflow: hidden");
  expect(rule(".line,\n.state")).toContain("white-space: nowrap");
});

it("gives the server's name room beside how the question stands", () => {
  expect(rule('.card[data-tall="true"] .line')).toContain("min-width: 45%");
  expect(rule('.card[data-tall="true"] .state')).toContain("max-width: calc(55%");
});

it("begins no line with the point between two links", async () => {
  open([aDetail()]);
  const link = await screen.findByRole("button", { name: "Show task" });
  expect(link.parentElement?.textContent, "it stays with the one before it").toBe("Show task ·");
  expect(rule(`.${link.parentElement?.className}`, read("inbox.module.css"))).toContain("white-space: nowrap");
});

it("scrolls a dialog as a whole before a table in it is down to its head", () => {
  expect(rule(".body > *", read("../../components/Dialog.module.css"))).toContain("flex: none");
});

it("keeps the columns of alike questions together, however few they are", () => {
  const sheet = read("Stack.module.css");
  expect(rule(".scroll", sheet)).toContain("width: fit-content");
  expect(rule(".table", sheet), "nothing stretches it").not.toContain("width");
});

it("says in a short line what else there is to say, not how long a question has waited", () => {
  const state = (change: Change<RequestRow>, cramped: boolean) => {
    const { row } = aDetail(change);
    const { container, unmount } = renderWith(new Desk([]), <RequestCard row={row} narrow={cramped} tall={cramped} />);
    const text = container.querySelector(".state")?.textContent;
    unmount();
    return text;
  };
  expect(state({ hasDraft: true }, true)).toBe("draft kept");
  expect(state({ hasDraft: true }, false)).toMatch(/^waiting .* · draft kept$/);
  expect(state({ expiresAt: undefined }, true), "there is nothing else").toMatch(/^waiting /);
});
