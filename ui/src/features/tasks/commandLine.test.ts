import { describe, expect, it } from "vitest";

import { aTaskDetail } from "../../test/samples";
import { commandLine } from "./commandLine";

const text = (json: string, tool = "build", serverName = "ci") => commandLine(aTaskDetail({ tool, serverName }, { arguments: json }))?.text;

describe("the command line of a task", () => {
  it("makes the same call", () => {
    expect(text('{ "n": 12345678901234567890,\n "x": 1.10 }'), "no digit changes").toBe(
      `signalbox call ci build --args '{"n":12345678901234567890,"x":1.10}'`,
    );
    expect(text("{}", "run tests", "my ci")).toBe("signalbox call 'my ci' 'run tests' --args '{}'");
  });

  it("has neither a task id nor its own number", () => {
    const { text } = commandLine(aTaskDetail({ id: "t77" })) ?? {};
    expect(text).not.toContain("6f1c0d1e");
    expect(text).not.toContain("t77");
  });

  it.each([
    ["quotes", String.raw`{"a":"it's \"so\""}`, String.raw`'{"a":"it'\''s \"so\""}'`],
    ["what a shell would run", '{"a":"$(rm -rf ~) `id` ; !! %PATH%"}', "'{\"a\":\"$(rm -rf ~) `id` ; !! %PATH%\"}'"],
    ["line ends, as escapes", String.raw`{"a":"x\ny"}`, String.raw`'{"a":"x\ny"}'`],
    ["signs that reorder", '{"a":"\u202etxt.exe\u2066"}', String.raw`'{"a":"\u202etxt.exe\u2066"}'`],
    ["what a terminal takes for keys", '{"a":"\u007f\u009b201~"}', String.raw`'{"a":"\u007f\u009b201~"}'`],
    ["other line ends and blanks", '{"a":"\u2028\u0085\u00a0\ufeff\u200b"}', String.raw`'{"a":"\u2028\u0085\u00a0\ufeff\u200b"}'`],
    ["what is invisible beyond the first plane", '{"a":"\u{e0041}\ud800"}', String.raw`'{"a":"\udb40\udc41\ud800"}'`],
    ["letters of all scripts, as they are", '{"a":"Größe 日本 привет 🚂"}', `'{"a":"Größe 日本 привет 🚂"}'`],
  ])("quotes %s", (_, json, typed) => {
    expect(text(json)).toBe(`signalbox call ci build --args ${typed}`);
    const inner = typed.slice(1, -1).replaceAll(String.raw`'\''`, "'");
    expect(JSON.parse(inner), "and says the same").toEqual(JSON.parse(json));
  });

  it.each(["--home=/tmp/evil", "-h"])("takes the tool %s for no option", (tool) => {
    expect(text("{}", tool)).toBe(`signalbox call --args '{}' -- ci ${tool}`);
  });

  it("does not take a tool for a path of Windows, which double quotes would not hold", () => {
    expect(text("{}", "C:\\x$(id)")).toContain("'C:\\x$(id)'");
  });

  it.each(["a\nb", "a\tb", "a\u0003", "a\u202eb", "a\u001b[201~"])("is not offered for a tool whose name a terminal would act on", (tool) => {
    expect(text("{}", tool)).toBeUndefined();
  });

  it("is not offered where nobody knows what was called", () => {
    expect(text("{}", "")).toBeUndefined();
  });

  it("leaves arguments out that hold a secret, or are too long for it", () => {
    const secret = commandLine(aTaskDetail({}, { arguments: '{"token":"hunter2"}', secretArguments: true }));
    expect(secret).toEqual({ text: "signalbox call ci build --args @arguments.json", without: "secret" });
    const long = commandLine(aTaskDetail({}, { arguments: JSON.stringify({ a: "x".repeat(40_000) }) }));
    expect(long).toEqual({ text: "signalbox call ci build --args @arguments.json", without: "long" });
  });
});
