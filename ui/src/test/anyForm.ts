import type { Field, FieldError, FieldKind, FormSpec } from "../types";

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

const NAMES = ["a", "b", "limit", "__proto__", "", 'quo"te', "a/b~c", "☃", "constructor", "length"];
const OPTIONS = ['"eu"', '"us"', "1.0", "2", '"null"', "true"].map((value) => ({ value, label: `option ${value}` }));

/** What is put into a text of each format: the first fits, and no other does. */
const TEXTS = {
  "date": ["2026-01-31", "2026-02-29", "soon"],
  "date-time": ["2026-01-31T09:00:00Z", "2026-01-31T09:00:00", "2026-01-31"],
  "email": ["ada@example.com", "ada", "ada@"],
  "uri": ["https://example.com/a?b", "example", "a b"],
} as const;
const FORMATS = ["date", "date-time", "email", "uri"] as const;

function anyKind(dice: Dice): FieldKind {
  const maybe = <T>(value: T) => (dice.once(2) ? value : undefined);
  const without = <T extends object>(parts: T) => Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as T;
  const kinds: (() => object)[] = [
    () => ({ type: "text", multiline: dice.once(4), minLength: maybe(1 + dice.below(2)), maxLength: maybe(3) }),
    () => ({ type: "text", multiline: false, format: dice.of(FORMATS) }),
    () => ({ type: "integer", minimum: maybe("-5"), maximum: maybe(dice.of(["7", "12345678901234567889"])) }),
    () => ({ type: "number", minimum: maybe("-1"), maximum: maybe("100"), exclusiveMinimum: dice.once(2), exclusiveMaximum: dice.once(2) }),
    () => ({ type: "boolean" }),
    () => ({ type: "select", options: OPTIONS.slice(0, 1 + dice.below(OPTIONS.length)) }),
    () => ({ type: "multiSelect", options: OPTIONS.slice(0, 3), minItems: maybe(1), maxItems: maybe(2) }),
    () => ({ type: "json", why: "nested" }),
  ];
  return without(dice.of(kinds)()) as FieldKind;
}

/** A form of the subset that is shown as fields. */
export function anyForm(dice: Dice, names = NAMES): FormSpec {
  const count = 1 + dice.below(4);
  const fields = names
    .map((name) => ({ name, at: dice.below(1_000) }))
    .sort((one, other) => one.at - other.at)
    .slice(0, count)
    .map(({ name }): Field => {
      const kind = anyKind(dice);
      const [fits] = textsOf(kind).filter((text) => fault(kind, text) === undefined);
      const given = dice.once(3) && fits !== undefined && kind.type !== "json" ? { default: asJson(kind, fits) } : {};
      return { name, label: `Field ${name}`, required: dice.once(2), nullable: dice.once(3), kind, ...given };
    });
  return { fields, notes: [] };
}

/** What may be put into a control of a kind: what fits, what does not, and what is no value at all. */
export function textsOf(kind: FieldKind): readonly string[] {
  switch (kind.type) {
    case "text":
      return kind.format !== undefined ? TEXTS[kind.format] : ["ab", "", "a", "🚆🚆🚆", "abcd", 'a"\n', "null", "42"];
    case "integer":
      return ["3", "12345678901234567890", "-12345678901234567890", "1.5", "one", "-", "1,5"];
    case "number":
      return ["0.10", "1e999", "-1", "100", "99.99", "1,5", ".5", "NaN"];
    case "boolean":
      return ["true", "false"];
    case "select":
      return kind.options.map(({ value }) => value);
    case "multiSelect":
      return ['["us"]', "[]", '["eu","us"]', '["eu","us",1.0]'];
    case "json":
      return ["{}", '{"port":1e999}', "[1,", "null", "nope", ' "x" '];
  }
}

function asJson(kind: FieldKind, text: string): string {
  return kind.type === "text" ? JSON.stringify(text) : text.trim();
}

/** Why what was put into a control is no answer, told from what is typed alone. */
export function fault(kind: FieldKind, text: string): FieldError["code"] | undefined {
  switch (kind.type) {
    case "text": {
      const { length } = Array.from(text);
      if (kind.format !== undefined) return text === TEXTS[kind.format][0] ? undefined : "format";
      if (length < (kind.minLength ?? 0)) return "tooShort";
      return length > (kind.maxLength ?? Infinity) ? "tooLong" : undefined;
    }
    case "integer":
      if (!/^-?\d+$/.test(text)) return "type";
      if (kind.minimum !== undefined && BigInt(text) < BigInt(kind.minimum)) return "tooSmall";
      return kind.maximum !== undefined && BigInt(text) > BigInt(kind.maximum) ? "tooLarge" : undefined;
    case "number": {
      if (!/^-?\d+(\.\d+)?(e\d+)?$/.test(text)) return "type";
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
      const count = text === "[]" ? 0 : text.split(",").length;
      if (count < (kind.minItems ?? 0)) return "tooFew";
      return count > (kind.maxItems ?? Infinity) ? "tooMany" : undefined;
    }
    case "json":
      return ["{}", '{"port":1e999}', "null", '"x"'].includes(text.replaceAll(/\s/g, "")) ? undefined : "notJson";
  }
}
