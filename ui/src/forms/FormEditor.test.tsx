import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";

import type { Field, FieldError, FieldKind, FormSpec } from "../types";
import { contentOf, newDraft, type FormDraft } from "./draft";
import { FormEditor, type FormHandle } from "./FormEditor";

const plain = { multiline: false };
const options = [
  { value: '"eu"', label: "Europe" },
  { value: '"us"', label: "America" },
];
const KINDS: [string, string, FieldKind, string][] = [
  ["text", "textbox", { type: "text", ...plain, maxLength: 80 }, "at most 80 characters"],
  ["a long text", "textbox", { type: "text", ...plain, multiline: true }, ""],
  ["e-mail", "textbox", { type: "text", ...plain, format: "email" }, "e-mail address"],
  ["date", "textbox", { type: "text", ...plain, format: "date" }, "date: 2026-01-31"],
  ["a pattern, only ever shown", "textbox", { type: "text", ...plain, pattern: "^(a+)+$" }, "pattern ^(a+)+$"],
  ["integer", "textbox", { type: "integer", minimum: "1", maximum: "9" }, "whole number, 1 to 9"],
  ["number", "textbox", { type: "number", minimum: "0", maximum: "5", exclusiveMinimum: true, exclusiveMaximum: false }, "more than 0, at most 5"],
  ["boolean", "group", { type: "boolean" }, ""],
  ["select", "combobox", { type: "select", options }, ""],
  ["multi select", "group", { type: "multiSelect", options, minItems: 1, maxItems: 2 }, "1 to 2 choices"],
  ["JSON", "textbox", { type: "json", why: "nested" }, "JSON"],
];

function field(kind: FieldKind, more: Partial<Field> = {}): Field {
  return { name: "x", label: "The label", description: "What it is", required: true, nullable: false, kind, ...more };
}

function spec(...fields: Field[]): FormSpec {
  return { fields, notes: [] };
}

function error(change: Partial<FieldError> = {}): FieldError {
  return { field: "x", path: "/x", message: "Does not fit", code: "type", ...change };
}

function setUp(form: FormSpec, errors: readonly FieldError[] = []) {
  const handle: { current: FormHandle | null } = { current: null };
  let latest: FormDraft = newDraft(form);
  const onChange = vi.fn();
  function Place() {
    const [draft, setDraft] = useState(latest);
    const change = (next: FormDraft) => {
      latest = next;
      onChange(next);
      setDraft(next);
    };
    return <FormEditor ref={handle} spec={form} draft={draft} onChange={change} errors={errors} />;
  }
  render(<Place />);
  return { handle, onChange, user: userEvent.setup(), content: () => contentOf(form, latest).content };
}

describe("a field", () => {
  it.each(KINDS)("of the kind %s has its label, its words and its error tied to it", (_, role, kind, limits) => {
    setUp(spec(field(kind)), [error()]);
    const control = screen.getByRole(role, { name: "The label" });
    const words = (control.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "");
    expect(words.join(" "), "a screen reader says all of it").toBe(`What it is${limits} Does not fit`);
  });

  it("says that it may be left out", () => {
    setUp(spec(field({ type: "select", options }, { required: false })));
    expect(screen.getByRole("combobox", { name: "The label optional" })).toHaveProperty("value", "");
    expect(screen.getByRole("option", { name: "Leave out" })).toBeTruthy();
  });

  it("does not repeat limits that the description names already", () => {
    setUp(spec(field({ type: "integer", minimum: "1", maximum: "9" }, { description: "Whole number, 1 to 9." })));
    expect(screen.queryAllByText(/1 to 9/)).toHaveLength(1);
  });

  it("shows what a server wrote as text, with nothing hidden in it", () => {
    setUp(spec(field({ type: "boolean" }, { label: "<b>Ok\u202e</b>" })));
    expect(screen.getByText("<b>Ok⟨202E⟩</b>")).toBeTruthy();
  });

  it("is told by its name, and an option by its value, where its title shows as nothing", () => {
    setUp(spec(field({ type: "select", options: [{ value: '"  "', label: "  " }] }, { label: " " })));
    expect(screen.getByRole("combobox", { name: '"x"' })).toBeTruthy();
    expect(screen.getByRole("option", { name: '" "' })).toBeTruthy();
  });

  it("says where a long title is cut", () => {
    setUp(spec(field({ type: "boolean" }, { label: "a".repeat(401) })));
    expect(screen.getByText(`${"a".repeat(400)}…`)).toBeTruthy();
  });
});

describe("filling in", () => {
  it("keeps an integer that no double can hold", async () => {
    const { user, content } = setUp(spec(field({ type: "integer" })));
    await user.type(screen.getByRole("textbox"), "12345678901234567890");
    expect(content()).toBe('{"x":12345678901234567890}');
  });

  it("keeps what is typed where it is no number yet", async () => {
    const { user, content } = setUp(spec(field({ type: "number", exclusiveMinimum: false, exclusiveMaximum: false })));
    await user.type(screen.getByRole("textbox"), "1,5");
    expect(screen.getByRole("textbox")).toHaveProperty("value", "1,5");
    expect(content(), "and does not send it").toBe("{}");
  });

  it("decides nothing unasked: an optional yes or no starts as left out, and can go back there", async () => {
    const { user, content } = setUp(spec(field({ type: "boolean" }, { required: false })));
    expect(content()).toBe("{}");
    await user.click(screen.getByLabelText("No"));
    expect(content()).toBe('{"x":false}');
    await user.click(screen.getByLabelText("Leave out"));
    expect(content()).toBe("{}");
  });

  it("gives a required yes or no two choices, neither chosen", () => {
    setUp(spec(field({ type: "boolean" })));
    expect(screen.getAllByRole("radio").map((radio) => (radio as HTMLInputElement).checked)).toEqual([false, false]);
  });

  it("sends choices in the order of the schema", async () => {
    const { user, content } = setUp(spec(field({ type: "multiSelect", options })));
    await user.click(screen.getByLabelText("America"));
    await user.click(screen.getByLabelText("Europe"));
    expect(content()).toBe('{"x":["eu","us"]}');
  });

  it("says that nothing is chosen where the default chose something", async () => {
    const kind: FieldKind = { type: "multiSelect", options };
    const { user, content } = setUp(spec(field(kind, { required: false, default: '["eu"]' })));
    await user.click(screen.getByLabelText("Europe"));
    expect(content(), "leaving it out would let the server take the default").toBe('{"x":[]}');
  });

  it("keeps the line feeds of a default", () => {
    setUp(spec(field({ type: "text", ...plain }, { default: '"a\\nb"' })));
    expect(screen.getByRole("textbox")).toHaveProperty("value", "a\nb");
  });
});

describe("what is sent is what is shown", () => {
  const text: FieldKind = { type: "text", ...plain };
  const words = (control: HTMLElement) =>
    (control.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent).join(" ");

  it("of a text with something in it that does not show in its control: that is spelled out", async () => {
    const { user } = setUp(spec(field(text, { default: '"main\u200b"' })));
    const control = screen.getByRole("textbox");
    expect(words(control)).toContain("Spelled out: main⟨200B⟩");
    await user.type(control, "{Backspace}");
    expect(words(control)).toBe("What it is");
  });

  it("of a text: nothing, what is typed, an empty text, or null, each by an act of its own", async () => {
    const { user, content } = setUp(spec(field(text, { required: false, nullable: true })));
    const control = screen.getByRole("textbox");
    expect([content(), words(control)]).toEqual(["{}", "What it is Not sent."]);
    await user.type(control, "a{Backspace}");
    expect([content(), words(control)], "deleted is not an empty text").toEqual(["{}", "What it is Not sent."]);
    await user.click(screen.getByRole("button", { name: "Send an empty text" }));
    expect([content(), words(control)]).toEqual(['{"x":""}', "What it is An empty text is sent."]);
    await user.click(screen.getByRole("button", { name: "Send null" }));
    expect([content(), words(control)]).toEqual(['{"x":null}', "What it is Null is sent."]);
    await user.type(control, "a");
    expect([content(), words(control)]).toEqual(['{"x":"a"}', "What it is"]);
    await user.click(screen.getByRole("button", { name: "Leave out" }));
    expect([content(), words(control)]).toEqual(["{}", "What it is Not sent."]);
  });

  it("offers no empty text where none fits, and nothing to leave out where a value is required", async () => {
    const { user } = setUp(spec(field({ ...text, minLength: 1 })));
    await user.type(screen.getByRole("textbox"), "a");
    expect(screen.queryAllByRole("button")).toEqual([]);
  });

  it("of an optional yes or no with a default: the default, which can be left out", async () => {
    const { user, content } = setUp(spec(field({ type: "boolean" }, { required: false, default: "true" })));
    expect(screen.getByLabelText("Yes")).toHaveProperty("checked", true);
    expect(content(), "what the control shows goes out").toBe('{"x":true}');
    await user.click(screen.getByLabelText("Leave out"));
    expect(content()).toBe("{}");
    expect(words(screen.getByRole("group", { name: /^The label/ }))).toBe("What it is Not sent. The form's default is true.");
  });

  it("of a yes or no that may be null: null is a choice of its own", async () => {
    const { user, content } = setUp(spec(field({ type: "boolean" }, { nullable: true })));
    expect(content(), "and is not made up").toBe("{}");
    expect(screen.queryByLabelText("Leave out"), "it is required").toBeNull();
    await user.click(screen.getByLabelText("Null"));
    expect(content()).toBe('{"x":null}');
  });

  it("of a select that may be null, too", async () => {
    const { user, content } = setUp(spec(field({ type: "select", options }, { required: false, nullable: true })));
    const control = screen.getByRole("combobox");
    await user.selectOptions(control, "Null");
    expect(content()).toBe('{"x":null}');
    await user.selectOptions(control, "Leave out");
    expect(content()).toBe("{}");
  });

  it("of a list of ticks: nothing, an empty list, or what is ticked", async () => {
    const { user, content } = setUp(spec(field({ type: "multiSelect", options }, { required: false })));
    await user.click(screen.getByRole("button", { name: "Send an empty list" }));
    expect(content()).toBe('{"x":[]}');
    expect(screen.getByText("An empty list is sent.")).toBeTruthy();
    await user.click(screen.getByLabelText("Europe"));
    expect(content()).toBe('{"x":["eu"]}');
    await user.click(screen.getByRole("button", { name: "Leave out" }));
    expect(content()).toBe("{}");
  });
});

describe("the JSON tab", () => {
  it("goes both ways without losing anything", async () => {
    const { user, content } = setUp(spec(field({ type: "text", ...plain }), field({ type: "integer" }, { name: "n", label: "N" })));
    await user.type(screen.getByLabelText("The label"), "hi");
    await user.type(screen.getByLabelText("N"), "one");
    await user.click(screen.getByRole("tab", { name: "JSON" }));
    const text = screen.getByLabelText("Content as JSON");
    expect(text).toHaveProperty("value", '{\n  "x": "hi"\n}');
    await user.clear(text);
    await user.click(text);
    await user.paste('{"x":"ho"}');
    await user.click(screen.getByRole("tab", { name: "Form" }));
    expect(screen.getByLabelText("The label")).toHaveProperty("value", "ho");
    expect(screen.getByLabelText("N"), "what was no number yet is still there").toHaveProperty("value", "one");
    expect(content()).toBe('{"x":"ho"}');
  });

  it("says why it cannot become fields, and stays", async () => {
    const { user, content } = setUp(spec(field({ type: "text", ...plain })));
    await user.click(screen.getByRole("tab", { name: "JSON" }));
    const text = screen.getByLabelText("Content as JSON");
    await user.clear(text);
    await user.click(text);
    await user.paste('{"y":1}');
    await user.click(screen.getByRole("tab", { name: "Form" }));
    expect(screen.getByRole("alert").textContent).toContain("no field “y”");
    expect(content()).toBe('{"y":1}');
  });

  it("shows as fields what they can show, and says beforehand what they cannot", async () => {
    const { user, content } = setUp(spec(field({ type: "text", ...plain }), field({ type: "integer" }, { name: "n", label: "N" })));
    await user.click(screen.getByRole("tab", { name: "JSON" }));
    const write = async (json: string) => {
      await user.clear(screen.getByLabelText("Content as JSON"));
      await user.click(screen.getByLabelText("Content as JSON"));
      await user.paste(json);
      await user.click(screen.getByRole("tab", { name: "Form" }));
    };
    await write('{"x":"kept","y":1,"n":"7"}');
    expect(content(), "nothing is lost unasked").toBe('{"x":"kept","y":1,"n":"7"}');
    await user.click(screen.getByRole("button", { name: "Show as fields without “y”, “n”" }));
    expect(screen.getByLabelText("The label")).toHaveProperty("value", "kept");
    expect(content(), "what is not shown is not sent").toBe('{"x":"kept"}');
    await user.click(screen.getByRole("tab", { name: "JSON" }));
    await write("{");
    await user.click(screen.getByRole("button", { name: "Go back to the fields as they were" }));
    expect(content()).toBe('{"x":"kept"}');
  });

  it("says which field is not in its text, because what stands there is no value", async () => {
    const { user } = setUp(spec(field({ type: "integer" }, { label: "N" })));
    await user.type(screen.getByLabelText("N"), "one");
    await user.click(screen.getByRole("tab", { name: "JSON" }));
    expect(screen.getByText("Left out of this text, because what was typed is not a value yet:", { exact: false }).textContent).toContain("N");
    await user.clear(screen.getByLabelText("Content as JSON"));
    await user.click(screen.getByLabelText("Content as JSON"));
    await user.paste('{"x":1}');
    expect(screen.queryByText(/^Not in this text/)).toBeNull();
  });

  it("is there for a form without a field, too", async () => {
    const { user } = setUp(spec());
    expect(screen.getByText("There is nothing to fill in.")).toBeTruthy();
    await user.click(screen.getByRole("tab", { name: "JSON" }));
    expect(screen.getByLabelText("Content as JSON")).toHaveProperty("value", "{}");
  });

  it("says while typing where the text stops being JSON", async () => {
    const { user } = setUp({ ...spec(), fallback: { why: "freeForm" } });
    expect(screen.queryByRole("tab"), "without fields there is nothing to switch to").toBeNull();
    await user.type(screen.getByLabelText("Content as JSON"), "x");
    expect(screen.getByText("Not JSON: see line 1, column 3")).toBeTruthy();
  });
});

describe("errors", () => {
  const two = spec(field({ type: "text", ...plain }), field({ type: "boolean" }, { name: "b", label: "Sure" }));

  it("lead to their fields", async () => {
    const { user, handle } = setUp(two, [error(), error({ field: "b", path: "/b", message: "Required" })]);
    handle.current?.focusError([error({ field: "b" })]);
    expect(document.activeElement).toBe(screen.getByLabelText("Yes"));
    await user.click(within(screen.getAllByRole("alert")[0] as HTMLElement).getByRole("button", { name: /The label/ }));
    expect(document.activeElement).toBe(screen.getByLabelText("The label"));
  });

  it("that are about no field are said above the form", () => {
    setUp(two, [{ path: "", message: "Either of both", code: "rule" }]);
    expect(screen.getByRole("alert").textContent).toContain("The content as a whole: Either of both");
  });

  it("inside a JSON value say where", () => {
    setUp(spec(field({ type: "json", why: "nested" })), [error({ path: "/x/port/0" })]);
    expect(screen.getByText("port/0: Does not fit")).toBeTruthy();
  });
});
