import { LEAST, MOST } from "./anyForm";
import type { FieldError, FieldKind, FormSpec, TextFormat } from "../types";

/** A value as the platform reads it, numbers as they were written. */
type Value = null | boolean | string | Written | Value[] | ReadonlyMap<string, Value>;

class Written {
  constructor(readonly source: string) {}
}

/** Stands before a number that is read as a string, so that it stays as it was written. */
const MARK = "\u0001number ";
const PARTS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** Reads JSON by the platform's own reader, and not by ours. Undefined where it is none. */
function read(json: string): Value | undefined {
  try {
    JSON.parse(json);
  } catch {
    return undefined;
  }
  const marked = json.replace(PARTS, (part) => (part.startsWith('"') ? part : JSON.stringify(MARK + part)));
  return JSON.parse(marked, (_, value: unknown) => {
    if (typeof value === "string" && value.startsWith(MARK)) return new Written(value.slice(MARK.length));
    if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Written) return value;
    return new Map(Object.entries(value));
  }) as Value;
}

/**
 * What does not fit, by another reading of the form than any of ours: content against the plain words of JSON Schema for these
 * kinds. It stands for the desk where a test has none, and says what that says of all {@link KNOWN} contents.
 */
export function oracle(spec: FormSpec, content: string): FieldError[] {
  const whole = read(content);
  if (!(whole instanceof Map)) return [{ path: "", code: "notJson", message: "No object" }];
  // What cannot be read is all that is said.
  const lost = lostIn(whole)[0];
  if (lost) return [{ field: lost[0] ?? "", path: lost.map(below).join(""), code: "notExact", message: "notExact" }];
  const errors: FieldError[] = [];
  const wrong = (field: string, code: FieldError["code"]) => errors.push({ field, path: below(field), code, message: code });
  for (const { name, required, nullable, kind } of spec.fields) {
    const value = whole.get(name) as Value | undefined;
    if (value === undefined) {
      if (required) wrong(name, "required");
    } else if (!(value === null && nullable) && !holds(kind, value)) wrong(name, "type");
  }
  return errors;
}

function below(name: string): string {
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Where numbers are that would be changed on their way. */
function lostIn(value: Value): string[][] {
  if (value instanceof Written) {
    const isWhole = /^-?\d+$/.test(value.source);
    const isKept = isWhole ? BigInt(value.source) >= LEAST && BigInt(value.source) <= MOST : Number.isFinite(Number(value.source));
    return isKept ? [] : [[]];
  }
  const parts: [string, Value][] = value instanceof Map ? [...(value as ReadonlyMap<string, Value>)] : Array.isArray(value) ? value.map((part, at) => [String(at), part]) : [];
  return parts.flatMap(([name, part]) => lostIn(part).map((path) => [name, ...path]));
}

function holds(kind: FieldKind, value: Value): boolean {
  switch (kind.type) {
    case "text":
      if (typeof value !== "string") return false;
      if (kind.format !== undefined && !FORMATS[kind.format](value)) return false;
      if (kind.pattern !== undefined && !new RegExp(kind.pattern, "u").test(value)) return false;
      return within(Array.from(value).length, kind.minLength, kind.maxLength);
    case "integer": {
      if (!(value instanceof Written) || !Number.isInteger(Number(value.source))) return false;
      const n = /^-?\d+$/.test(value.source) ? BigInt(value.source) : BigInt(Number(value.source));
      return !(kind.minimum !== undefined && n < BigInt(kind.minimum)) && !(kind.maximum !== undefined && n > BigInt(kind.maximum));
    }
    case "number": {
      if (!(value instanceof Written)) return false;
      const n = Number(value.source);
      const above = kind.minimum === undefined || n > Number(kind.minimum) || (!kind.exclusiveMinimum && n === Number(kind.minimum));
      const below = kind.maximum === undefined || n < Number(kind.maximum) || (!kind.exclusiveMaximum && n === Number(kind.maximum));
      return above && below;
    }
    case "boolean":
      return typeof value === "boolean";
    case "select":
      return kind.options.some((option) => same(option.value, value));
    case "multiSelect":
      if (!Array.isArray(value) || !within(value.length, kind.minItems, kind.maxItems)) return false;
      return value.every((one) => kind.options.some((option) => same(option.value, one)));
    case "json":
      return true;
  }
}

function same(json: string, value: Value): boolean {
  return value instanceof Written ? !json.startsWith('"') && Number(json) === Number(value.source) : json === JSON.stringify(value);
}

function within(count: number, least = 0, most = Infinity): boolean {
  return count >= least && count <= most;
}

/** Told apart as far as what is put into them here needs it. */
const FORMATS: Record<TextFormat, (text: string) => boolean> = {
  "date": isDate,
  "date-time": (text) => /^.{10}T\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(text) && isDate(text.slice(0, 10)),
  "email": (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  "uri": (text) => URL.canParse(text),
};

function isDate(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
