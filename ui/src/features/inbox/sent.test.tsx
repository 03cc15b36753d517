import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { newDraft, serialiseDraft } from "../../forms";
import { select } from "../../places/nav";
import { anyForm, Dice, textsOf } from "../../test/anyForm";
import { oracle } from "../../test/oracle";
import type { Field, FormSpec } from "../../types";
import { open } from "./openInbox";
import { aDetail, sent } from "./samples";

const SEEDS = 60;
/** What was typed into another form before. */
function aFormerDraft(dice: Dice): string {
  const { form } = anyForm(dice);
  return serialiseDraft({ ...newDraft(form), value: new Map(form.fields.map(({ name, kind }) => [name, dice.of(textsOf(kind))])) });
}

/** Where the desk finds secrets in content that fits. */
function secretsOf({ fields }: FormSpec, content: string): string[] {
  const told = JSON.parse(content) as Record<string, unknown>;
  return fields.filter(({ name, secret }) => secret === true && name in told && told[name] !== null && told[name] !== "").map(({ name }) => `/${name}`);
}

/** Puts something into a control, as far as the control lets it. Each button beside it is pressed now and then. */
function put(dice: Dice, field: Field, place: HTMLElement): void {
  const text = dice.of(textsOf(field.kind));
  const control = place.querySelector("input, textarea, select");
  const buttons = [...place.querySelectorAll("button")].filter((button) => button.textContent !== "Calendar");
  const button = buttons.length > 0 && dice.once(3) ? dice.of(buttons) : undefined;
  if (button) fireEvent.click(button);
  else if (control instanceof HTMLInputElement && (control.type === "radio" || control.type === "checkbox")) {
    fireEvent.click(dice.of([...place.querySelectorAll("input")]));
  } else if (control) fireEvent.change(control, { target: { value: control instanceof HTMLSelectElement ? dice.of([...control.options]).value : text } });
}

/** What the controls show, read off the screen alone. */
function read(field: Field, place: HTMLElement): string | undefined {
  const { kind } = field;
  const control = place.querySelector<HTMLInputElement>("input, textarea, select");
  const says = place.textContent;
  if (says.includes("Null is sent.")) return "null";
  if (says.includes("An empty text is sent.")) return '""';
  if (says.includes("An empty list is sent.")) return "[]";
  switch (kind.type) {
    case "text":
      return control?.value ? JSON.stringify(control.value) : undefined;
    case "boolean": {
      const chosen = place.querySelector<HTMLInputElement>("input:checked")?.parentElement?.textContent;
      return { Yes: "true", No: "false", Null: "null" }[chosen ?? ""];
    }
    case "select":
      return control?.value || undefined;
    case "multiSelect": {
      const ticked = [...place.querySelectorAll<HTMLInputElement>("input")].flatMap((box, index) => (box.checked ? [kind.options[index]?.value] : []));
      return ticked.length > 0 ? `[${ticked.join(",")}]` : undefined;
    }
    default:
      return control?.value.trim() || undefined;
  }
}

/** The JSON text of the whole content, as it stands on its tab; with something else in its place where that is given. */
function writtenIn(container: HTMLElement, instead: string | undefined): string {
  for (const tab of container.querySelectorAll("[role=tab]")) if (tab.textContent === "JSON") fireEvent.click(tab);
  const secrets = [...container.querySelectorAll("button")].find(({ textContent }) => textContent === "Show secrets, to edit this");
  if (secrets) fireEvent.click(secrets);
  const area = screen.getByLabelText<HTMLTextAreaElement>("Content as JSON");
  if (instead !== undefined) fireEvent.change(area, { target: { value: instead } });
  return area.value.trim();
}

// Not by role: that works out the whole tree of accessible names anew for each of many forms.
function buttonIn(place: ParentNode | null, words: RegExp): HTMLButtonElement {
  const button = [...(place?.querySelectorAll("button") ?? [])].find(({ textContent }) => words.test(textContent));
  if (!button) throw new Error(`No button ${String(words)}`);
  return button;
}

const dialog = () => document.querySelector("[role=dialog]");

describe("for any form, as it stands on the screen", () => {
  it("what is sent is what the controls show, and fits; else nothing is sent", { timeout: 60_000 }, async () => {
    let accepted = 0;
    const written = { accepted: 0, refused: 0 };
    for (let seed = 0; seed < SEEDS; seed++) {
      const dice = new Dice(seed);
      const { form, contents } = anyForm(dice);
      const draft = dice.once(3) ? { draft: aFormerDraft(dice) } : {};
      select({ request: null });
      const { desk, container } = open([aDetail({}, { form, ...draft })], 0);
      const otherwise = desk.act;
      desk.act = (command) => {
        if (command.type !== "validate") return otherwise(command);
        const errors = oracle(form, command.content);
        if (errors.length > 0) return { type: "validated", errors };
        const secrets = secretsOf(form, command.content);
        return { type: "validated", errors, sends: sent("accept", command.content), ...(secrets.length > 0 && { secrets }) };
      };
      await waitFor(() => buttonIn(container, /^Review and send/));
      const places = () => [...container.querySelectorAll<HTMLElement>("[data-field]")];
      const choose = (tab: string) => {
        for (const other of container.querySelectorAll("[role=tab]")) if (other.textContent === tab) fireEvent.click(other);
      };
      const shownNow = () => {
        const members = form.fields.flatMap((field, index) => {
          const json = places()[index] && read(field, places()[index] as HTMLElement);
          return json === undefined ? [] : [`${JSON.stringify(field.name)}:${json}`];
        });
        return `{${members.join(",")}}`;
      };
      for (let acts = dice.below(10); acts > 0; acts--) {
        if (dice.once(6)) {
          // A JSON value comes back in lines of its own.
          const plain = () => shownNow().replaceAll(/\s/g, "");
          const before = plain();
          choose("JSON");
          expect(places(), "it is the text that is edited").toEqual([]);
          choose("Form");
          expect(plain(), `seed ${String(seed)}: nothing is lost on the way to JSON and back`).toBe(before);
        }
        const takes = [...container.querySelectorAll("button")].filter((button) => button.textContent === "Use this");
        if (takes.length > 0 && dice.once(3)) fireEvent.click(dice.of(takes));
        const index = dice.below(form.fields.length);
        const [field, place] = [form.fields[index], places()[index]];
        if (field && place) put(dice, field, place);
      }
      const asJson = dice.once(3);
      const shown = asJson ? writtenIn(container, dice.once(2) ? dice.of(contents)[0] : undefined) : shownNow();
      if (asJson) written[oracle(form, shown).length === 0 ? "accepted" : "refused"] += 1;
      const why = `seed ${String(seed)}: ${JSON.stringify(form.fields)} shows ${shown}, having begun with ${draft.draft ?? JSON.stringify([...newDraft(form).value])}`;
      fireEvent.click(buttonIn(container, /^Review and send/));
      if (oracle(form, shown).length > 0) {
        await waitFor(() => expect(screen.queryByText(/Nothing was sent\.$/), why).not.toBeNull());
        expect(dialog(), why).toBeNull();
        expect(desk.sent("answer"), why).toEqual([]);
      } else {
        accepted += 1;
        await waitFor(() => expect(dialog(), why).not.toBeNull());
        if (secretsOf(form, shown).length > 0) fireEvent.click(screen.getByLabelText(/^I trust this server with/));
        fireEvent.click(buttonIn(dialog(), /^Send/));
        await waitFor(() => expect(desk.sent("answer").map(({ content }) => content), why).toEqual([shown]));
      }
      act(() => cleanup());
    }
    expect(accepted, "both happen").toBeGreaterThan(2);
    expect(accepted).toBeLessThan(SEEDS - 2);
    expect(Math.min(...Object.values(written)), "also where the JSON text is what is filled in").toBeGreaterThan(1);
  });
});
