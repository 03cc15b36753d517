import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";

import type { FieldKind, FormSpec } from "../types";
import { contentOf, newDraft } from "./draft";
import { FormEditor } from "./FormEditor";

const options = ["production", "staging"].map((name) => ({ value: JSON.stringify(name), label: name }));

function show(spec: FormSpec): () => string {
  let content = "";
  function Place() {
    const [draft, setDraft] = useState(newDraft(spec));
    content = contentOf(spec, draft).content;
    return <FormEditor spec={spec} draft={draft} onChange={setDraft} errors={[]} />;
  }
  render(<Place />);
  return () => content;
}

function form(kind: FieldKind, required: boolean): FormSpec {
  return { fields: [{ name: "n", label: "Where", required, nullable: false, kind }], notes: [] };
}

// Each of these is a bug of another client, and must not be one of ours.
describe("a bug of other clients", () => {
  it.each([true, false])("highlighted enum not really selected (required: %s)", (required) => {
    const content = show(form({ type: "select", options }, required));
    const select = screen.getByRole<HTMLSelectElement>("combobox");
    const shown = () => select.selectedOptions[0]?.textContent;
    expect(shown(), "no option stands there as if it were chosen").toBe(required ? "Choose …" : "Leave out");
    expect(content()).toBe("{}");
    for (const option of ["staging", "production"]) {
      fireEvent.change(select, { target: { value: JSON.stringify(option) } });
      expect(shown()).toBe(option);
      expect(content()).toBe(`{"n":"${option}"}`);
    }
  });

  it("nested schema shows nothing", () => {
    const content = show(form({ type: "json", why: "nested" }, true));
    fireEvent.change(screen.getByRole("textbox", { name: "Where" }), { target: { value: '{"host":"a"}' } });
    expect(content()).toBe('{"n":{"host":"a"}}');
  });

  it("a schema that cannot be fields shows nothing", () => {
    const content = show({ fields: [], notes: [], fallback: { why: "alternatives" } });
    fireEvent.change(screen.getByRole("textbox", { name: "Content as JSON" }), { target: { value: '{"a":1}' } });
    expect(content()).toBe('{"a":1}');
  });
});
