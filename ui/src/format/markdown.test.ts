import { describe, expect, it } from "vitest";

import { Dice } from "../test/anyForm";
import { HOSTILE } from "../test/hostile";
import { LONGEST, markdown, type Block } from "./markdown";
import type { Span } from "./spans";

const spanWords = (span: Span): string => (typeof span === "string" ? span : span.kind === "code" ? span.text : span.of.map(spanWords).join(""));

/** All that is read of a tree. */
function words(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      switch (block.kind) {
        case "code":
          return `${block.language} ${block.text}`;
        case "quote":
          return words(block.of);
        case "list":
          return block.items.map(({ mark, of }) => `${mark} ${words(of)}`).join(" ");
        default:
          return block.of.map(spanWords).join("");
      }
    })
    .join(" ");
}

function depth(blocks: readonly Block[]): number {
  const inner = blocks.map((block) => (block.kind === "quote" ? depth(block.of) : block.kind === "list" ? Math.max(...block.items.map(({ of }) => depth(of))) : 0));
  return 1 + Math.max(0, ...inner);
}

const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "");
const paragraph = (...of: Span[]): Block => ({ kind: "paragraph", of });

describe("markdown", () => {
  it.each<[string, string, Block[]]>([
    ["stress", "a **b** and *c*, _d_ ***e***", [paragraph("a ", { kind: "strong", of: ["b"] }, " and ", { kind: "emphasis", of: ["c"] }, ", ", { kind: "emphasis", of: ["d"] }, " ", { kind: "strong", of: [{ kind: "emphasis", of: ["e"] }] })]],
    ["stress in stress", "**a *b* c**", [paragraph({ kind: "strong", of: ["a ", { kind: "emphasis", of: ["b"] }, " c"] })]],
    ["code, in which nothing else is", "`a *b*` ``c`d``", [paragraph({ kind: "code", text: "a *b*" }, " ", { kind: "code", text: "c`d" })]],
    ["a heading", "## Plan\ngo", [{ kind: "heading", of: ["Plan"] }, paragraph("go")]],
    ["a block of code", "```sh\nrm *\n\n```\n**b**", [{ kind: "code", language: "sh", text: "rm *\n" }, paragraph({ kind: "strong", of: ["b"] })]],
    ["a quote", "> a\n> b\nc", [{ kind: "quote", of: [paragraph("a\nb")] }, paragraph("c")]],
    ["a list", "- a\n  b\n- c\n\nd", [{ kind: "list", items: [{ mark: "-", of: [paragraph("a\nb")] }, { mark: "-", of: [paragraph("c")] }] }, paragraph("d")]],
    ["numbers as they were sent", "3. a\n7) b", [{ kind: "list", items: [{ mark: "3.", of: [paragraph("a")] }, { mark: "7)", of: [paragraph("b")] }] }]],
    ["a list in a list", "- a\n  - b", [{ kind: "list", items: [{ mark: "-", of: [paragraph("a"), { kind: "list", items: [{ mark: "-", of: [paragraph("b")] }] }] }] }]],
  ])("reads %s", (_, text, blocks) => {
    expect(markdown(text)).toEqual(blocks);
  });

  it.each([
    "two\nlines\n\nand a paragraph",
    "[Sign in](https://evil.example) ![](https://evil.example/x_y_z.png) <https://evil.example>",
    "my_long_name and 2*3*4, 5 * 6 * 7",
    "\\*not stress\\* \\`nor code\\`",
    "**never ended, ` neither",
    "|a|b|\n|-|-|\n<b>bold</b> &amp;",
    "#no-heading 3.no-list -5",
    "",
  ])("leaves as it was sent: %j", (text) => {
    expect(markdown(text)).toBeUndefined();
  });

  it("leaves a long text as it was sent", () => {
    expect(markdown(`**a**${"b".repeat(LONGEST)}`)).toBeUndefined();
  });

  it("loses no letter of any text, and goes to no depth", () => {
    const signs = ["*", "**", "_", "`", "```", "```js", "~~~", "\n", "\n\n", "> ", "- ", "1. ", "# ", "  ", "    ", "a", "Word", "7", " ", "\\", "[x](y)", "<b>", "é", "\t"];
    for (let seed = 0; seed < 2_000; seed++) {
      const dice = new Dice(seed);
      const text = Array.from({ length: 1 + dice.below(60) }, () => dice.of(signs)).join("");
      const blocks = markdown(text) ?? [];
      if (blocks.length > 0) expect(letters(words(blocks)), JSON.stringify(text)).toBe(letters(text));
      expect(depth(blocks)).toBeLessThan(7);
    }
  });

  it.each(HOSTILE)("reads at once and without loss: %s", (_, text) => {
    const blocks = markdown(text);
    if (blocks) expect(letters(words(blocks))).toBe(letters(text));
  });
});
