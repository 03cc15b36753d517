import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { FieldError, FieldKind, FormSpec, SelectOption } from "../types";

/** Numbers from a seed, so that a failure can be had again. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number below `n`. */
  below(n: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  }

  /** True once in `n` times. */
  once(n: number): boolean {
    return this.below(n) === 0;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

/** A schema as the desk reads it: the form that it becomes, and some contents with the places in them that do not fit. */
export interface Known {
  schema: string;
  form: FormSpec;
  contents: [content: string, misfits: string[]][];
}

/** Schemas of the subset that is shown as fields. A test of `crates/forms` writes them as it reads them, and keeps them so. */
export const KNOWN = JSON.parse(readFileSync(join(import.meta.dirname, "forms.json"), "utf8")) as readonly Known[];

/** Any of them. */
export function anyForm(dice: Dice): Known {
  return dice.of(KNOWN);
}

/** What is put into a text of each format: the first fits, and no other does. */
const TEXTS = {
  "date": ["2026-01-31", "2026-02-29", "soon"],
  "date-time": ["2026-01-31T09:00:00Z", "2026-01-31T09:00:00", "2026-01-31"],
  "email": ["ada@example.com", "ada", "ada@"],
  "uri": ["https://example.com/a?b", "example", "a b"],
} as const;

/** What may be put into a control of a kind: what fits, what does not, and what is no value at all. */
export function textsOf(kind: FieldKind): readonly string[] {
  switch (kind.type) {
    case "text":
      return kind.format !== undefined ? TEXTS[kind.format] : ["ab", "", "a", "🚆🚆🚆", "abcd", 'a"\n', "null", "42", "ab-12", "v1.2"];
    case "integer":
      return ["3", "12345678901234567890", "-12345678901234567890", "1.5", "one", "-", "1,5"];
    case "number":
      return ["0.10", "1e999", "-1", "100", "99.99", "1,5", ".5", "NaN"];
    case "boolean":
      return ["true", "false"];
    case "select":
      return kind.options.map(({ value }) => value);
    case "multiSelect":
      return [kind.options.slice(-1), [], kind.options.slice(0, 2), kind.options].map(listOf);
    case "json":
      return ["{}", '{"port":1e999}', "[1,", "null", "nope", ' "x" '];
  }
}

function listOf(options: readonly SelectOption[]): string {
  return `[${options.map(({ value }) => value).join(",")}]`;
}

/** The whole numbers that are kept exactly on their way. */
export const [LEAST, MOST] = [-(2n ** 63n), 2n ** 64n - 1n];

/** Why what was put into a control is no answer, told from what is typed alone. */
export function fault(kind: FieldKind, text: string): FieldError["code"] | undefined {
  switch (kind.type) {
    case "text": {
      const { length } = Array.from(text);
      if (kind.format !== undefined) return text === TEXTS[kind.format][0] ? undefined : "format";
      if (kind.pattern !== undefined && !new RegExp(kind.pattern, "u").test(text)) return "pattern";
      if (length < (kind.minLength ?? 0)) return "tooShort";
      return length > (kind.maxLength ?? Infinity) ? "tooLong" : undefined;
    }
    case "integer":
      if (!/^-?\d+$/.test(text)) return "type";
      if (BigInt(text) < LEAST || BigInt(text) > MOST) return "notExact";
      if (kind.minimum !== undefined && BigInt(text) < BigInt(kind.minimum)) return "tooSmall";
      return kind.maximum !== undefined && BigInt(text) > BigInt(kind.maximum) ? "tooLarge" : undefined;
    case "number": {
      if (!/^-?\d+(\.\d+)?(e\d+)?$/.test(text)) return "type";
      if (!Number.isFinite(Number(text))) return "notJson";
      const least = Number(kind.minimum ?? -Infinity);
      const most = Number(kind.maximum ?? Infinity);
      if (kind.minimum !== undefined && (kind.exclusiveMinimum ? Number(text) <= least : Number(text) < least)) return "tooSmall";
      return kind.maximum !== undefined && (kind.exclusiveMaximum ? Number(text) >= most : Number(text) > most) ? "tooLarge" : undefined;
    }
    case "boolean":
      return text === "true" || text === "false" ? undefined : "type";
    case "select":
      return kind.options.some(({ value }) => value === text) ? undefined : "option";
    case "multiSelect": {
      const count = (JSON.parse(text) as unknown[]).length;
      if (count < (kind.minItems ?? 0)) return "tooFew";
      return count > (kind.maxItems ?? Infinity) ? "tooMany" : undefined;
    }
    case "json":
      return ["{}", "null", '"x"'].includes(text.replaceAll(/\s/g, "")) ? undefined : "notJson";
  }
}
