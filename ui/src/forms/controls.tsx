import { useState } from "react";

import type { FieldControl } from "../components/Field";
import field from "../components/Field.module.css";
import { cut, oneLine } from "../format/text";
import { t } from "../strings";
import type { Field, FieldKind, SelectOption } from "../types";
import css from "./forms.module.css";
import { scan } from "./json";
import { chosenIn } from "./value";

/** What every control of a form gets. */
export interface ControlProps<K extends FieldKind["type"] = FieldKind["type"]> {
  field: Field;
  kind: Extract<FieldKind, { type: K }>;
  /** What the control holds; undefined while it is left empty. */
  text: string | undefined;
  onChange: (text: string | undefined) => void;
  control: FieldControl;
}

// The native types for e-mail, dates and numbers trim, convert or drop what is typed: every one of these is a text.
const INPUT_MODE = { email: "email", uri: "url", date: undefined, "date-time": undefined } as const;
const PLACEHOLDER = { email: undefined, uri: undefined, date: "2026-01-31", "date-time": "2026-01-31T09:00:00Z" } as const;
const PLAIN = { autoComplete: "off", autoCapitalize: "off", autoCorrect: "off", spellCheck: false } as const;

/** Text, on one line or several. */
export function TextControl({ field: { required }, kind, text = "", onChange, control }: ControlProps<"text">) {
  // An input would drop line feeds of a default.
  const [lines] = useState(kind.multiline || text.includes("\n"));
  const props = { ...control, className: field.input, value: text, dir: "auto", "aria-required": required };
  if (lines) return <textarea {...props} rows={4} onChange={(event) => onChange(event.target.value || undefined)} />;
  const typed = kind.format === undefined ? {} : { ...PLAIN, inputMode: INPUT_MODE[kind.format], placeholder: PLACEHOLDER[kind.format] };
  return <input {...props} {...typed} type="text" autoComplete="off" onChange={(event) => onChange(event.target.value || undefined)} />;
}

/** A number as it is typed. No spinner and no wheel ever changes it. */
export function NumberControl({ field: { required }, kind, text = "", onChange, control }: ControlProps<"integer" | "number">) {
  return (
    <input
      {...control}
      {...PLAIN}
      type="text"
      inputMode={kind.type === "integer" ? "numeric" : "decimal"}
      className={field.input}
      value={text}
      aria-required={required}
      onChange={(event) => onChange(event.target.value || undefined)}
    />
  );
}

/** Yes or No; where it may be left out, that is a third choice, so that nothing is decided unasked. */
export function BooleanControl({ field: { required, nullable, default: initial }, text, onChange, control }: ControlProps<"boolean">) {
  const choices: { text: string | undefined; label: string }[] = [
    { text: "true", label: t.forms.yes },
    { text: "false", label: t.forms.no },
  ];
  if (nullable || (!required && initial === undefined)) choices.push({ text: undefined, label: t.forms.unset });
  return (
    <div className={css.segments}>
      {choices.map((choice) => (
        <label key={choice.label} className={css.segment} data-unset={choice.text === undefined}>
          <input
            type="radio"
            name={control.id}
            aria-describedby={control["aria-describedby"]}
            checked={text === choice.text}
            onChange={() => onChange(choice.text)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </div>
  );
}

/** One of several values. */
export function SelectControl({ field: { required }, kind, text, onChange, control }: ControlProps<"select">) {
  return (
    <select
      {...control}
      className={field.input}
      value={text ?? ""}
      aria-required={required}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="" disabled={required && text !== undefined}>
        {required ? t.forms.choose : t.forms.unset}
      </option>
      {kind.options.map((option) => (
        <option key={option.value} value={option.value}>
          {words(option)}
        </option>
      ))}
    </select>
  );
}

/** Several values. With a default, unticking all says "none", not nothing. */
export function MultiSelectControl({ field: { required, default: initial }, kind, text, onChange, control }: ControlProps<"multiSelect">) {
  const chosen = text === undefined ? [] : (chosenIn(kind, text) ?? []);
  const toggle = (option: SelectOption) => {
    const next = kind.options.map(({ value }) => value).filter((value) => (value === option.value) !== chosen.includes(value));
    onChange(next.length === 0 && !required && initial === undefined ? undefined : `[${next.join(",")}]`);
  };
  return (
    <div className={css.checks}>
      {kind.options.map((option) => (
        <label key={option.value} className={css.check}>
          <input
            type="checkbox"
            aria-describedby={control["aria-describedby"]}
            aria-invalid={control["aria-invalid"]}
            checked={chosen.includes(option.value)}
            onChange={() => toggle(option)}
          />
          <bdi dir="auto">{words(option)}</bdi>
        </label>
      ))}
    </div>
  );
}

/** Any JSON value as text. */
export function JsonControl({ field: { required }, text = "", onChange, control }: ControlProps<"json">) {
  return (
    <>
      <textarea
        {...control}
        {...PLAIN}
        className={`${field.input} ${field.mono}`}
        rows={5}
        value={text}
        aria-required={required}
        onChange={(event) => onChange(event.target.value.trim() === "" ? undefined : event.target.value)}
      />
      <Syntax text={text} />
    </>
  );
}

/** Says while typing where the text stops being JSON. Whether it fits the schema is the desk's to say. */
export function Syntax({ text }: { text: string }) {
  if (text.trim() === "") return null;
  const scanned = scan(text);
  return (
    <div className={css.syntax} data-ok={scanned.ok} aria-live="polite">
      {scanned.ok ? t.forms.isJson : t.forms.notJsonAt(scanned.fault.line, scanned.fault.column)}
    </div>
  );
}

function words(option: SelectOption): string {
  return oneLine(cut(option.label, 400));
}
