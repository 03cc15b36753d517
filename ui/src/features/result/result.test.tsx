import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";

import { HostProvider } from "../../host/context";
import { DeskError } from "../../host/error";
import type { WhichPart } from "../../host/host";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { aResult, aText } from "../../test/samples";
import type { BlobView, Command, ContentPart, Reply, ResultView } from "../../types";
import { Lines } from "./Lines";
import { ResultParts } from "./ResultParts";
import { wholeOf } from "./level";
import { tablesOf } from "./table";
import { linesOf, MOST_LINES } from "./tree";

afterEach(() => vi.useRealTimers());

type Act = (command: Command) => Reply;

function show(result: ResultView, act?: Act): FakeHost {
  const host = new FakeHost(() => ({ type: "task" }), act);
  renderWith(host, <ResultParts call="t7" server="s1" result={result} json="{}" />);
  return host;
}

/** A desk that has a text, and gives it in pieces. */
function inPieces(text: string): Act {
  return (command) => {
    if (command.type !== "result_text") return { type: "done" };
    const piece = text.slice(command.from, command.from + 64 * 1024);
    const next = command.from + piece.length;
    return { type: "text_piece", text: piece, from: command.from, bytes: text.length, ...(next < text.length && { next }) };
  };
}

const press = (name: string | RegExp) => userEvent.click(screen.getByRole("button", { name }));
const line = (name: RegExp | string) => screen.getByRole("treeitem", { name });

describe("a text of a result", () => {
  it("with colours is shown in ours", () => {
    show(aResult([aText("\u001b[1;31merror\u001b[0m: two\nlines")]));
    expect(screen.getByText("error").className).toMatch(/red.*bold/);
    expect(screen.getByRole("group", { name: "Text, line by line" }).textContent).toBe("error: two\nlines");
  });

  it("spells out what a colour within a word would hide, and says that colours are left out", () => {
    show(aResult([aText("p\u001b[31m\u0430\u001b[0mypal\nis none")]));
    expect(screen.getByText(/p⟨0430⟩ypal/)).toBeTruthy();
    expect(screen.getByText(/colours are left out/)).toBeTruthy();
  });

  it("of many lines is laid out in blocks of whole lines, and stays as it is for who copies it", () => {
    const text = Array.from({ length: 100 }, (_, n) => (n === 39 ? "\u001b[31mred\nred\u001b[0m still" : `line ${n}`)).join("\n");
    show(aResult([aText(text)]));
    const lines = screen.getByRole("group", { name: "Text, line by line" });
    expect(lines.textContent).toBe(text.replaceAll(/\u001b\[\d+m/g, ""));
    const blocks = [...lines.querySelectorAll("[class*=block]")].map((block) => block.textContent);
    expect(blocks.map((block) => block.split("\n").length - 1), "each ends with a line feed, but the last").toEqual([40, 40, 20]);
    const red = [...lines.querySelectorAll("[class*=red]")].map((run) => run.textContent);
    expect(red, "a colour goes on in the next block").toEqual(["red\n", "red"]);
  });

  it("of many lines is laid out at last where nobody sees it, for who is read to", async () => {
    const { rerender } = render(<Lines text={"line\n".repeat(100)} />);
    const laidOut = () => document.querySelectorAll("[class*=block][data-laid]").length;
    expect(laidOut(), "the first view does not wait for it").toBe(0);
    await waitFor(() => expect(laidOut()).toBe(3));
    rerender(<Lines text={"another\n".repeat(100)} />);
    expect(laidOut(), "neither does the next").toBe(0);
    await waitFor(() => expect(laidOut()).toBe(3));
  });

  it("shows what a terminal would obey as a sign", () => {
    show(aResult([aText("a\u001b[2Kb\u001b]0;title\u0007\nc")]));
    expect(screen.getByText(/a␛\[2Kb␛\]0;title␇/)).toBeTruthy();
  });

  it("of 20 MB comes in pieces, of which one is on the screen", async () => {
    const text = "line of a long log\n".repeat(1_100_000);
    const host = show(aResult([{ kind: "text", text: text.slice(0, 262_144), bytes: text.length, same: false }]), inPieces(text));
    expect(screen.getByText("Bytes 1 to 65,531 of 20,900,000"), "it is here already, up to the end of a line").toBeTruthy();
    expect(host.commands, "nothing is asked for").toEqual([]);
    const lines = () => screen.getByRole("group", { name: "Text, line by line" });
    const shown = () => lines().textContent.length;
    const height = vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(9_000);
    expect(shown()).toBeLessThanOrEqual(65_536);
    await press("Later");
    expect(await screen.findByText("Bytes 65,532 to 131,067 of 20,900,000")).toBeTruthy();
    await press("End");
    expect(await screen.findByText(/to 20,900,000 of 20,900,000/)).toBeTruthy();
    expect(lines().scrollTop, "the piece's own end is in sight").toBe(9_000);
    expect(screen.getByRole("button", { name: "Later" })).toHaveProperty("disabled", true);
    expect(shown()).toBeLessThanOrEqual(65_536);
    await press("Earlier");
    expect(await screen.findByText(/^Bytes 20,768,929 to/)).toBeTruthy();
    expect(lines().scrollTop, "another piece begins where it begins").toBe(0);
    await press("Beginning");
    height.mockRestore();
    expect(screen.getByText("Bytes 1 to 65,531 of 20,900,000")).toBeTruthy();
    expect(host.commands.every((command) => command.type === "result_text")).toBe(true);
    expect(screen.queryByRole("button", { name: "Copy" }), "so much is saved, not copied").toBeNull();
  });

  it("that is JSON is shown as a tree", async () => {
    show(aResult([aText('{"n": 9007199254740993, "deep": {"x": 1.0}}')]));
    expect(line(/"n": 9007199254740993/)).toBeTruthy();
    expect(line(/"x": 1\.0/), "what is short is open whole").toBeTruthy();
    await userEvent.click(line(/"deep"/));
    expect(screen.queryByRole("treeitem", { name: /"x"/ })).toBeNull();
  });

  it("that is JSON of 110 KiB is a tree, too", () => {
    const host = show(aResult([aText(`{"rows":[${'{"n":1.0},'.repeat(11_000)}{"n":2}]}`)]));
    expect(line(/11,001 elements/)).toBeTruthy();
    expect(screen.getByRole("tab", { name: "Table" })).toBeTruthy();
    expect(host.commands, "it is here already").toEqual([]);
  });

  const long = (json: string): ContentPart => ({ kind: "text", text: json.slice(0, 262_144), bytes: json.length, same: false });

  it("that is longer JSON is read in pieces, and is a tree when that is wanted", async () => {
    const json = `[${"1,".repeat(200_000)}1]`;
    const host = show(aResult([long(json)]), inPieces(json));
    expect(screen.getByText(/^Bytes 1 to/)).toBeTruthy();
    expect(host.commands, "nothing is parsed before a person wants it").toEqual([]);
    await press("Show it as a tree");
    expect(await screen.findByText("200,001 elements")).toBeTruthy();
  });

  it.each([
    ["stops in the middle", `[${"1,".repeat(200_000)}`],
    ["is nested too deep to be read", "[".repeat(1_000_000)],
  ])("that begins like JSON and %s is said to be none, and stays readable", async (_, text) => {
    show(aResult([long(text)]), inPieces(text));
    await press("Show it as a tree");
    expect(await screen.findByText(/^It begins like JSON, but is none/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Show it as a tree" })).toBeNull();
    expect(screen.getByText(/^Bytes 1 to/)).toBeTruthy();
  });

  it("that is JSON of more than 4 MiB, or that begins otherwise, is offered as no tree", () => {
    const words = "words ".repeat(100_000);
    show(aResult([long(`[${"1,".repeat(2_200_000)}1]`), long(words)]), inPieces(words));
    expect(screen.queryByRole("button", { name: "Show it as a tree" })).toBeNull();
    expect(screen.getAllByText(/^Bytes 1 to/)).toHaveLength(2);
  });

  it("that says the same as the structured content is shown once", () => {
    show(aResult([{ kind: "text", text: '{"n":1}', bytes: 7, same: true }], { structured: '{"n":1}' }));
    expect(screen.getByText(/says the same as the text above/)).toBeTruthy();
    expect(screen.getAllByRole("tree")).toHaveLength(1);
  });
});

describe("JSON of a result", () => {
  it("is walked by keys", async () => {
    show(aResult([], { structured: '{"a":{"b":[1]},"c":"d"}' }));
    const tree = screen.getByRole("tree", { name: "Structured content" });
    tree.focus();
    const active = () => document.getElementById(tree.getAttribute("aria-activedescendant") ?? "")?.textContent;
    await userEvent.keyboard("{ArrowDown}");
    expect(active()).toContain('"a"');
    await userEvent.keyboard("{ArrowRight}");
    expect(active()).toContain('"b"');
    expect(line(/"b"/).getAttribute("aria-level")).toBe("3");
    await userEvent.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}");
    expect(screen.queryByRole("treeitem", { name: /"b"/ }), "closed from its place above").toBeNull();
    await userEvent.keyboard("{ArrowRight}{ArrowRight}");
    expect(active()).toContain('"b"');
    await userEvent.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}");
    await userEvent.keyboard("{End}");
    expect(active()).toContain('"c": "d"');
  });

  it("nested ten thousand deep opens level by level, and hangs nothing", async () => {
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    show(aResult([{ kind: "other", type: "deep", bytes: deep.length, json: deep }]));
    const lines = () => screen.getAllByRole("treeitem");
    const first = lines().length;
    expect(first, "the outer levels alone").toBeLessThanOrEqual(40);
    for (let level = first; level < first + 4; level += 1) {
      expect(lines()).toHaveLength(level);
      await userEvent.click(lines()[level - 1] ?? document.body);
    }
    await userEvent.click(screen.getByRole("tab", { name: "Text" }));
    expect(screen.getByRole("figure", { name: "deep" }).textContent.length).toBeLessThan(10_000);
  });

  it("of a million elements shows a hundred, and more as they are wished for", async () => {
    const json = `[${"7,".repeat(999_999)}8]`;
    show(aResult([{ kind: "other", type: "wide", bytes: json.length, json }]));
    expect(line(/1,000,000 elements/)).toBeTruthy();
    expect(screen.getAllByRole("treeitem")).toHaveLength(102);
    await userEvent.click(line("Show more: 999,900 left"));
    expect(screen.getAllByRole("treeitem")).toHaveLength(202);
    expect(MOST_LINES).toBeLessThan(10_000);
  });

  it("opens no more lines than it may have", () => {
    const json = `[${"[1,2],".repeat(1_999)}[1]]`;
    const root = wholeOf(json);
    if (!root) throw new Error("no JSON");
    const open = new Map([...json.matchAll(/\[(?=\d)/g)].map((found) => [found.index, 100] as const));
    expect(linesOf(json, root, new Map([[0, 2_000], ...open]))).toHaveLength(MOST_LINES);
  });

  it("of objects is a table, of which the first of 5,000 columns are shown and the others counted", async () => {
    const row = (n: number) => `{${Array.from({ length: 5_000 }, (_, column) => `"c${column}":${n}.0`).join(",")}}`;
    const json = `[${Array.from({ length: 20 }, (_, n) => row(n)).join(",")}]`;
    show(aResult([], { structured: json }));
    await userEvent.click(screen.getByRole("tab", { name: "Table" }));
    const table = within(screen.getByRole("table"));
    expect(table.getAllByRole("columnheader")).toHaveLength(25);
    expect(table.getAllByRole("row")).toHaveLength(21);
    expect(table.getAllByText("19.0"), "numbers stay as written").toHaveLength(24);
    expect(screen.getByText("4,976 columns are left out. The tree shows all of them.")).toBeTruthy();
  });

  it("that holds one array of objects has that as a table, and says which it is", async () => {
    const items = Array.from({ length: 120 }, (_, n) => `{"id":${n},"name":"row ${n}"}`).join(",");
    show(aResult([], { structured: `{"total":120,"page":{"items":[${items}]},"tags":["a"],"none":[]}` }));
    await userEvent.click(screen.getByRole("tab", { name: "Table" }));
    expect(screen.getByText("page.items").closest("p")?.textContent).toBe("Rows of page.items");
    const heads = [...document.querySelectorAll("table thead th")].map((head) => head.textContent);
    expect(heads).toEqual(["Row", "id", "name"]);
    expect(screen.getByText("row 99")).toBeTruthy();
    await userEvent.click(screen.getByText("Show more rows: 20 left"));
    expect(screen.getByText("row 119")).toBeTruthy();
  });

  it("that holds several arrays of objects has each as a table", async () => {
    show(aResult([], { structured: '{"errors":[{"line":7}],"warnings":[{"code":"W1"}]}' }));
    await userEvent.click(screen.getByRole("tab", { name: "Table" }));
    expect(screen.getByRole("columnheader", { name: "line" })).toBeTruthy();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Rows of" }), "warnings");
    expect(screen.getByRole("cell", { name: "W1" })).toBeTruthy();
    expect(screen.queryByRole("columnheader", { name: "line" })).toBeNull();
  });

  it("that holds none is no table", () => {
    show(aResult([], { structured: '{"rows":[1,2],"mixed":[{"a":1},2],"empty":[],"one":{"a":1}}' }));
    expect(screen.getAllByRole("tab").map((tab) => tab.textContent)).toEqual(["Tree", "Text"]);
  });

  it("of a hundred thousand members is looked through no further than it may be", () => {
    const members = (n: number) => Array.from({ length: n }, (_, at) => `"m${at}":{"rows":[{"a":1}]}`).join(",");
    const json = `{${members(100_000)}}`;
    const root = wholeOf(json);
    if (!root) throw new Error("no JSON");
    expect(tablesOf(json, root).length, "a bound of members, and one of tables").toBeLessThanOrEqual(20);
    const few = `{${members(30)}}`;
    expect(tablesOf(few, wholeOf(few) ?? root)).toHaveLength(20);
  });

  it("is looked through for tables no deeper, and no further among members and names, than it may be", () => {
    const tables = (json: string) => tablesOf(json, wholeOf(json) ?? { kind: "other", start: 0, end: 0 });
    const within = (levels: number) => `${'{"m":'.repeat(levels)}[{"a":1}]${"}".repeat(levels)}`;
    expect([within(4), within(5)].map((json) => tables(json).length)).toEqual([1, 0]);
    const behind = (n: number) => `{${Array.from({ length: n }, (_, at) => `"m${at}":1`).join(",")},"rows":[{"a":1}]}`;
    expect([behind(999), behind(1_000)].map((json) => tables(json).length)).toEqual([1, 0]);
    const names = (row: number) => Array.from({ length: 1_000 }, (_, at) => `"r${row}c${at}":1`).join(",");
    const [wide] = tables(`[${Array.from({ length: 90 }, (_, row) => `{${names(row)}}`).join(",")}]`);
    expect(wide?.columns.left, "of 90,000 names").toBe(50_000 - 24);
  });

  it("that is long is asked for when it is wanted, and read as text where it is too long", async () => {
    const json = `[${"1,".repeat(200_000)}1]`;
    const host = show(aResult([], { structuredBytes: json.length }), inPieces(json));
    expect(host.commands).toEqual([]);
    await press("Show it");
    expect(await screen.findByRole("treeitem", { name: /200,001 elements/ })).toBeTruthy();
    expect(host.commands[0]).toEqual({ type: "result_text", call: "t7", from: 0 });
  });

  it("that could not be read says so of itself, and not of the result after it", async () => {
    const gone = new DeskError({ code: "unknown_item", message: "t7 has no result", retry: "never" });
    const host = new FakeHost(() => ({ type: "task" }), () => Promise.reject(gone));
    const parts = (call: string) => <ResultParts call={call} server="s1" result={aResult([], { structuredBytes: 400_000 })} json="{}" />;
    const { rerender } = renderWith(host, parts("t7"));
    await press("Show it");
    expect((await screen.findByRole("alert")).textContent).toContain("t7 has no result");
    rerender(<HostProvider value={host}>{parts("t8")}</HostProvider>);
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByRole("button", { name: "Show it" })).toHaveProperty("disabled", false);
  });

  it("of more than 4 MiB is no tree", async () => {
    show(aResult([], { structuredBytes: 20_000_000 }), inPieces(`[${"1,".repeat(9_999_999)}1]`));
    expect(screen.getByText(/19 MiB are too much for a tree/)).toBeTruthy();
    expect(await screen.findByText(/^Bytes 1 to 65,536/)).toBeTruthy();
  });
});

describe("bytes of a result", () => {
  const blob = (change: Partial<Extract<ContentPart, { kind: "blob" }>["blob"]>): ContentPart => ({ kind: "blob", blob: { bytes: 64, format: "png", width: 2, height: 3, ...change } });
  const shown: Act = (command) => (command.type === "result_blob" ? { type: "shown_blob", mediaType: "image/png", base64: "AAAA" } : { type: "done" });

  it("are drawn as what they are", async () => {
    show(aResult([blob({ mimeType: "text/html" })]), shown);
    const picture = await screen.findByRole("img", { name: /2 × 3 pixels, 64 B/ });
    expect(picture.getAttribute("src")).toBe("data:image/png;base64,AAAA");
    expect(screen.getByText("text/html"), "what the server calls them is told").toBeTruthy();
  });

  it.each<[string, ContentPart, RegExp]>([
    ["a picture of 100 megapixels", blob({ width: 10_000, height: 10_000, unshown: "pixels" }), /more than 25 million pixels/],
    ["a zip named .png", blob({ format: "zip", mimeType: "image/png", unshown: "format" }), /It is not shown here/],
    ["an SVG with scripts", blob({ format: "svg", mimeType: "image/svg+xml", unshown: "format" }), /an SVG picture can hold scripts\. It can be saved\.$/],
    ["a PDF document", blob({ format: "pdf", unshown: "format" }), /^It is not shown here\. It can be saved, or opened in another program\.$/],
    ["what is no base64", blob({ format: "unknown", unshown: "illegible" }), /says that it is base64, and it is not/],
  ])("that are %s are not drawn, and not even asked for", (_, part, why) => {
    const host = show(aResult([part]), shown);
    expect(screen.getByText(why)).toBeTruthy();
    expect(screen.queryByRole("img")).toBeNull();
    expect(host.commands).toEqual([]);
  });

  it("that are a broken picture are said to be", async () => {
    show(aResult([blob({})]), shown);
    const picture = await screen.findByRole("img");
    picture.dispatchEvent(new Event("error"));
    expect(await screen.findByText(/the picture is damaged/)).toBeTruthy();
  });

  it("that are a sound wait for a press, and say where nothing can play them", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const host = show(aResult([blob({ format: "wav" })]), (command) => (command.type === "result_blob" ? { type: "shown_blob", mediaType: "audio/wav", base64: "AAAA" } : { type: "done" }));
    expect(host.commands).toEqual([]);
    await press("Play it here");
    expect((await screen.findByLabelText(/The sound that the server sent/)).getAttribute("src")).toBe("data:audio/wav;base64,AAAA");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await screen.findByText(/cannot be played here\. It can be saved, or opened/)).toBeTruthy();
  });

  it("that are large wait for a person", async () => {
    const host = show(aResult([blob({ bytes: 8_000_000 })]), shown);
    expect(host.commands).toEqual([]);
    await press("Show it");
    expect(await screen.findByRole("img")).toBeTruthy();
  });
});

describe("a part of a result", () => {
  const png: ContentPart = { kind: "blob", blob: { bytes: 64, format: "png", unshown: "no_size" } };

  it("is copied, and saved where the person says", async () => {
    const host = show(aResult([aText("words"), png]));
    const [first] = screen.getAllByRole("group", { name: "This part" });
    if (!first) throw new Error("it has no actions");
    await userEvent.click(within(first).getByRole("button", { name: "Copy" }));
    await userEvent.click(within(first).getByRole("button", { name: "Save as…" }));
    expect(host.copied).toEqual(["words"]);
    expect(host.savedParts).toEqual<[string, WhichPart][]>([["t7", { content: 0 }]]);
    expect(await within(first).findByText("Saved")).toBeTruthy();
  });

  it("is opened in another program only after a person said so twice", async () => {
    const host = show(aResult([png]));
    await press("Open…");
    expect(host.openedParts).toEqual([]);
    expect(screen.getByText(/^PNG picture: the program/)).toBeTruthy();
    await press("Do not open");
    expect(host.openedParts).toEqual([]);
    await press("Open…");
    await press("Open");
    expect(host.openedParts).toEqual<[string, WhichPart][]>([["t7", { content: 0 }]]);
  });

  it("is not opened where it could be run, or hold what could", () => {
    const kinds = ["zip", "svg", "unknown"] as const;
    show(aResult(kinds.map((format) => ({ kind: "blob", blob: { bytes: 9, format, unshown: "format" } }))));
    expect(screen.queryByRole("button", { name: "Open…" })).toBeNull();
    expect(screen.getAllByRole("button", { name: "Save as…" })).toHaveLength(4);
  });
});

describe("a link to a resource", () => {
  const link: ContentPart = { kind: "link", uri: "file:///report.md", name: "report", size: 2_048, mimeType: "text/markdown" };

  it("is read from its server when a person wants it, and never before", async () => {
    const host = show(aResult([link]), ({ type }) =>
      type === "read_resource" ? { type: "resource_read", contents: [{ kind: "resource", uri: "file:///report.md", text: "# Report\n\n- all well", bytes: 20 }], more: 0 } : { type: "done" },
    );
    expect(host.commands).toEqual([]);
    expect(screen.getByText("2.0 KiB")).toBeTruthy();
    await press("Read from the server");
    expect(host.commands).toEqual([{ type: "read_resource", server: "s1", uri: "file:///report.md" }]);
    expect(await screen.findByText(/all well/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Save as…" }), "it is kept nowhere").toBeNull();
    await press("Show formatted");
    expect(screen.getByText("Report").tagName).toBe("STRONG");
  });

  it.each<[string, Partial<BlobView>, RegExp]>([
    ["PDF", { format: "pdf", unshown: "format" }, /^It is not shown here\.$/],
    ["SVG", { format: "svg", unshown: "format" }, /can hold scripts\.$/],
    ["large picture", { format: "png", bytes: 5_872_025 }, /^It is not shown, because it is too large/],
    ["large sound", { format: "wav", bytes: 5_872_025 }, /^It is not shown, because it is too large/],
  ])("to a %s offers nothing that cannot be done with what is kept nowhere", async (_, change, says) => {
    const contents: ContentPart[] = [{ kind: "resource", uri: "file:///report", bytes: 0, blob: { bytes: 900, format: "png", ...change } }];
    show(aResult([link]), ({ type }) => (type === "read_resource" ? { type: "resource_read", contents, more: 0 } : { type: "done" }));
    const actions = () => screen.queryAllByRole("group", { name: "This part" }).length;
    const before = actions();
    await press("Read from the server");
    expect(await screen.findByText(says)).toBeTruthy();
    expect(screen.queryByText(/can be saved/), "there is no button for it").toBeNull();
    expect(screen.queryByRole("button", { name: /^Show it|^Play it/ }), "nothing would come").toBeNull();
    expect(actions()).toBe(before);
  });

  it("to a picture that is not too large draws it", async () => {
    const contents: ContentPart[] = [{ kind: "resource", uri: "file:///a.png", bytes: 0, blob: { bytes: 64, format: "png", width: 2, height: 3, base64: "AAAA" } }];
    show(aResult([link]), ({ type }) => (type === "read_resource" ? { type: "resource_read", contents, more: 0 } : { type: "done" }));
    await press("Read from the server");
    expect((await screen.findByRole("img")).getAttribute("src")).toBe("data:image/png;base64,AAAA");
  });

  it("says why it could not be read", async () => {
    show(aResult([link]), ({ type }) => {
      if (type === "read_resource") throw new Error("no such resource");
      return { type: "done" };
    });
    await press("Read from the server");
    expect(await screen.findByText(/no such resource/)).toBeTruthy();
  });
});
