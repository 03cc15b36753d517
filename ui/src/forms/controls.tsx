import { useState } from "react";

import type { FieldControl } from "../components/Field";
import field from "../components/Field.module.css";
import { later } from "../components/later";
import { brief } from "../format/text";
import { useAdjusted } from "../store/useAdjusted";
import { t } from "../strings";
import type { Field, FieldKind, SelectOption } from "../types";
import css from "./forms.module.css";
import { scan } from "./json";
import { chosenIn } from "./kinds";
import type { FieldEntry } from "./value";

const DatePicker = later(async () => (await import("./DatePicker")).DatePicker);

/** What every control of a form gets. */
export interface ControlProps<K extends FieldKind["type"] = FieldKind["type"]> {
  field: Field;
  kind: Extract<FieldKind, { type: K }>;
  /** What is sent for the field as it stands. */
  entry: FieldEntry;
  onChange: (entry: FieldEntry) => void;
  control: FieldControl;
}

// The native types for e-mail, dates and numbers trim, convert or drop what is typed: every one of these is a text.
const INPUT_MODE = { email: "email", uri: "url", date: undefined, "date-time": undefined } as const;
const PLACEHOLDER = { email: undefined, uri: undefined, date: "2026-01-31", "date-time": "2026-01-31T09:00:00Z" } as const;
export const PLAIN = { autoComplete: "off", autoCapitalize: "off", autoCorrect: "off", spellCheck: false } as const;

/** Whether a text takes several lines. An input would drop the line feeds of a default, or of what is taken over. */
export function useLines(multiline: boolean, text: string): boolean {
  const [lines] = useAdjusted(useState(multiline), (last) => last || text.includes("\n"));
  return lines;
}

/** Text, on one line or several. */
export function TextControl({ field: { required }, kind, entry, onChange, control }: ControlProps<"text">) {
  const text = entry ?? "";
  // What is deleted is not sent: an empty text is chosen below.
  const lines = useLines(kind.multiline, text);
  const props = { ...control, className: field.input, value: text, dir: "auto", "aria-required": required };
  if (lines) return <textarea {...props} rows={4} onChange={(event) => onChange(event.target.value || undefined)} />;
  const typed = kind.format === undefined ? {} : { ...PLAIN, inputMode: INPUT_MODE[kind.format], placeholder: PLACEHOLDER[kind.format] };
  const line = <input {...props} {...typed} type="text" autoComplete="off" onChange={(event) => onChange(event.target.value || undefined)} />;
  if (kind.format !== "date" && kind.format !== "date-time") return line;
  return (
    <div className={css.dated}>
      {line}
      <DatePicker timed={kind.format === "date-time"} text={text} onChange={onChange} label={`${control.id}-label`} />
    </div>
  );
}

/** A number as it is typed. No spinner and no wheel ever changes it. */
export function NumberControl({ field: { required }, kind, entry, onChange, control }: ControlProps<"integer" | "number">) {
  return (
    <input
      {...control}
      {...PLAIN}
      type="text"
      inputMode={kind.type === "integer" ? "numeric" : "decimal"}
      className={field.input}
      value={entry ?? ""}
      aria-required={required}
      onChange={(event) => onChange(event.target.value || undefined)}
    />
  );
}

/** Yes or No; where it may be null or left out, those are choices, too, so that nothing is decided unasked. */
export function BooleanControl({ field: { required, nullable }, entry, onChange, control }: ControlProps<"boolean">) {
  const choices: { entry: FieldEntry; label: string }[] = [
    { entry: "true", label: t.forms.yes },
    { entry: "false", label: t.forms.no },
  ];
  if (nullable) choices.push({ entry: null, label: t.forms.null });
  if (!required) choices.push({ entry: undefined, label: t.forms.unset });
  return (
    <div className={css.segments}>
      {choices.map((choice) => (
        <label key={choice.label} className={css.segment} data-unset={choice.entry === undefined}>
          <input
            type="radio"
            name={control.id}
            aria-describedby={control["aria-describedby"]}
            checked={entry === choice.entry}
            onChange={() => onChange(choice.entry)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </div>
  );
}

/** One of several values. What it shows is what is sent: nothing is chosen by itself. */
export function SelectControl({ field: { required, nullable }, kind, entry, onChange, control }: ControlProps<"select">) {
  return (
    <select
      {...control}
      className={field.input}
      value={entry === null ? NULL : (entry ?? "")}
      aria-required={required}
      onChange={({ target: { value } }) => onChange(value === NULL ? null : value || undefined)}
    >
      <option value="" disabled={required && entry !== undefined}>
        {required ? t.forms.choose : t.forms.unset}
      </option>
      {nullable && <option value={NULL}>{t.forms.null}</option>}
      {kind.options.map((option) => (
        <option key={option.value} value={option.value}>
          {words(option)}
        </option>
      ))}
    </select>
  );
}

/** Null is no option of a select: it is known beside them. */
const NULL = "null";

/** Several values. With a default, unticking all says "none", not nothing. */
export function MultiSelectControl({ field: { required, default: initial }, kind, entry, onChange, control }: ControlProps<"multiSelect">) {
  const chosen = (entry ? chosenIn(kind, entry) : undefined) ?? [];
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
export function JsonControl({ field: { required }, entry, onChange, control }: ControlProps<"json">) {
  const text = entry ?? "";
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

function words({ label, value }: SelectOption): string {
  // One whose title shows as nothing is told by its value, in its quotes.
  return brief(label.trim() === "" ? value : label, 400);
}
