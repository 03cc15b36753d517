import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it } from "vitest";

import type { Field, FormSpec, TextFormat } from "../types";
import { contentOf, newDraft, toJson, type FormDraft } from "./draft";
import { FormEditor } from "./FormEditor";
import { fitted } from "./former";
import { parseDraft, serialiseDraft } from "./kept";
import { replacedAt, secretsIn, withoutAt } from "./secrets";

const text = { type: "text", multiline: false } as const;
const user: Field = { name: "user", label: "User", required: true, nullable: false, kind: text };
const password: Field = { name: "password", label: "Password", required: true, nullable: false, kind: text, secret: true };
const pin: Field = { name: "pin", label: "PIN", required: false, nullable: false, kind: { type: "integer" }, secret: true };
const key: Field = { name: "key", label: "Private key", required: false, nullable: false, kind: { type: "text", multiline: true }, secret: true };
const spec: FormSpec = { fields: [user, password, pin, key], notes: [], secret: true };

/** A form that asks for nothing but a secret in this format. */
function secretOf(format: TextFormat): FormSpec {
  return { fields: [{ ...password, kind: { ...text, format } }], notes: [], secret: true };
}

function typed(tab: FormDraft["tab"] = "form"): FormDraft {
  const draft = { ...newDraft(spec), value: new Map([["user", "ada"], ["password", "hunter2"], ["pin", "0417"]]) };
  return tab === "json" ? toJson(spec, draft) : draft;
}

function show(draft: FormDraft, of = spec): () => FormDraft {
  let last = draft;
  function Place() {
    const [draft, setDraft] = useState(last);
    last = draft;
    return <FormEditor spec={of} draft={draft} onChange={setDraft} errors={[]} />;
  }
  render(<Place />);
  return () => last;
}

describe("a field that asks for a secret", () => {
  it("warns, and shows nothing of it unless a person wants to see it", async () => {
    const draft = show(newDraft(spec));
    const control = screen.getByLabelText<HTMLInputElement>("Password");
    expect(control.type).toBe("password");
    expect(control.autocomplete, "nor does the platform keep it").toBe("off");
    const described = control.getAttribute("aria-describedby")?.split(" ") ?? [];
    expect(described.map((id) => document.getElementById(id)?.textContent).join(" ")).toContain("This asks for a secret.");
    await userEvent.type(control, "hunter2");
    expect(contentOf(spec, draft()).content, "it is what was typed").toBe('{"password":"hunter2"}');
    const [reveal] = screen.getAllByRole("button", { name: "Show" });
    expect(reveal?.getAttribute("aria-describedby"), "it says of which field").toBe(`${control.id}-label`);
    if (reveal) await userEvent.click(reveal);
    expect(screen.getByLabelText<HTMLInputElement>("Password").type).toBe("text");
    await userEvent.click(screen.getByRole("button", { name: "Hide" }));
    expect(screen.getByLabelText<HTMLInputElement>("Password").type).toBe("password");
  });

  it.each(["p\u0430ss", "x\u200b"])("is not spelled out below its masked control: %j", async (typed) => {
    show(newDraft(spec));
    await userEvent.type(screen.getByLabelText("Password"), typed);
    expect(document.body.textContent).toContain("Some characters of this text are hidden or look like others.");
    expect(document.body.textContent, "only that there are such characters").not.toMatch(/Spelled out|0430|200B|\u0430|\u200b/);
    const [reveal] = screen.getAllByRole("button", { name: "Show" });
    if (reveal) await userEvent.click(reveal);
    expect(document.body.textContent, "who asks to see it sees all of it").toMatch(/Spelled out: (p⟨0430⟩ss|x⟨200B⟩)/);
    await userEvent.click(screen.getByRole("button", { name: "Hide" }));
    expect(document.body.textContent).not.toContain("Spelled out");
  });

  it.each([
    ["date", "2001-02-03", /2001|February/],
    ["date-time", "2001-02-03T04:05:06+07:00", /2001|February|07:00/],
  ] as const)("is not read out where it is a %s", async (format, typed, told) => {
    const form = secretOf(format);
    show(newDraft(form), form);
    await userEvent.type(screen.getByLabelText("Password"), typed);
    const hints = screen.getByText(/^date/).textContent;
    expect(document.body.textContent.replace(hints, "")).not.toMatch(told);
    await userEvent.click(screen.getByRole("button", { name: "Show" }));
    expect(document.body.textContent.replace(hints, "")).toMatch(told);
  });

  it("has no default of the form beside it, which is one, too", () => {
    const form: FormSpec = { ...spec, fields: [{ ...password, required: false, default: '"hunter2"' }] };
    show({ ...newDraft(form), value: new Map() }, form);
    expect(screen.getByText("Not sent.")).toBeTruthy();
    expect(document.body.textContent).not.toContain("hunter2");
  });

  it("is hidden alike where it is a number, or has several lines", () => {
    show(newDraft(spec));
    expect(screen.getByLabelText<HTMLInputElement>("PIN", { exact: false }).type).toBe("password");
    expect(screen.getByLabelText("Private key", { exact: false }).dataset.hidden).toBe("true");
    expect(screen.getByLabelText<HTMLInputElement>("User").type).toBe("text");
  });

  it("is not in the JSON text that is shown, unless a person wants to see and edit it", async () => {
    const draft = show(typed("json"));
    const area = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Content as JSON" });
    expect(area.value).not.toMatch(/hunter2|0417/);
    expect(area.value).toContain('"user": "ada"');
    expect(area.readOnly, "what stands there is not what is sent").toBe(true);
    await userEvent.click(screen.getByRole("button", { name: "Show secrets, to edit this" }));
    expect(area.value).toContain('"password": "hunter2"');
    expect(area.readOnly).toBe(false);
    expect(contentOf(spec, draft()).content).toContain("hunter2");
  });
});

describe("JSON text that is none yet", () => {
  const half = { ...newDraft(spec), tab: "json" as const, json: '{"password":"hunter2' };

  it("is not shown unasked where the form asks for a secret: nobody can tell where in it one is", async () => {
    show(half);
    const area = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Content as JSON" });
    expect(area.value).toBe("••••••••");
    expect(area.readOnly).toBe(true);
    await userEvent.click(screen.getByRole("button", { name: "Show secrets, to edit this" }));
    expect(area.value).toBe(half.json);
  });

  it("stays in sight for who types it", async () => {
    show({ ...half, json: "" });
    const area = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Content as JSON" });
    await userEvent.type(area, "x");
    expect(area.value).toBe("x");
  });

  it("stays in sight where no secret is asked for", () => {
    const plain: FormSpec = { fields: [user], notes: [] };
    show({ ...newDraft(plain), tab: "json", json: '{"user":"ad' }, plain);
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Content as JSON" }).value).toBe('{"user":"ad');
  });
});

describe("a draft with secrets", () => {
  it.each(["form", "json"] as const)("is kept without them (%s)", (tab) => {
    const kept = serialiseDraft(typed(tab));
    expect(kept).not.toMatch(/hunter2|0417/);
    const read = parseDraft(spec, kept);
    expect(read && contentOf(spec, read).content.replace(/\s/g, "")).toBe('{"user":"ada"}');
  });

  it("is kept without text that is no JSON yet, since nobody can tell where in it they are", () => {
    const half = { ...typed("json"), json: '{"password":"hunter2' };
    expect(serialiseDraft(half)).not.toContain("hunter2");
    const plain: FormSpec = { ...spec, fields: [user] };
    expect(serialiseDraft({ ...newDraft(plain), tab: "json", json: '{"user":"ad' }), "any other stays").toContain("ad");
  });

  it.each(["form", "json"] as const)("does not hand them to another form (%s)", (tab) => {
    const other: FormSpec = { fields: [user, { ...password, label: "Passphrase", secret: false }], notes: [] };
    const former = fitted(other, typed(tab)).former;
    expect(former?.map(({ name }) => name)).toEqual(["user"]);
  });
});

describe("JSON text with secrets", () => {
  const json = '{ "n":1.0, "a/b":[{"t":"x"}], "password":"hunter2"}';

  it("has something else in their places, and all else as it was written", () => {
    expect(secretsIn(spec, json)).toEqual(["/password"]);
    expect(replacedAt(json, (path) => (path === "/password" ? "•" : undefined))).toBe('{"n":1.0,"a/b":[{"t":"x"}],"password":"•"}');
    expect(replacedAt(json, (path) => (path === "/a~1b/0/t" ? "•" : undefined))).toContain('[{"t":"•"}]');
  });

  it("loses no other members without them", () => {
    expect(withoutAt(json, ["/password", "/a~1b/0/t"])).toBe('{"n":1.0,"a/b":[{}]}');
    expect(withoutAt(json, [])).toBe(json);
  });
});
