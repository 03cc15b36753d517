import { t } from "../strings";
import type { Field, FieldKind } from "../types";

/** What a field is called: by its name, in quotes, where its title shows as nothing. */
export function labelOf({ label, name }: Field): string {
  return label.trim() === "" ? JSON.stringify(name) : label;
}

/** What a field takes, in a few words; empty when there is nothing to say. The pattern is only ever shown. */
export function hints(field: Field): string[] {
  return ofKind(field.kind);
}

function ofKind(kind: FieldKind): string[] {
  switch (kind.type) {
    case "text":
      return [
        kind.format === undefined ? "" : t.forms.formats[kind.format],
        span(kind.minLength, kind.maxLength, t.forms.characters),
        kind.pattern === undefined ? "" : t.forms.pattern(kind.pattern),
      ].filter((hint) => hint !== "");
    case "integer": {
      const limits = range(kind.minimum, kind.maximum, false, false);
      return [limits ? t.forms.wholeNumber(limits) : t.forms.aWholeNumber];
    }
    case "number":
      return [range(kind.minimum, kind.maximum, kind.exclusiveMinimum, kind.exclusiveMaximum)].filter((hint) => hint !== "");
    case "multiSelect":
      return [span(kind.minItems, kind.maxItems, t.forms.choices)].filter((hint) => hint !== "");
    case "boolean":
    case "select":
      return [];
    case "json":
      return [t.forms.anyJson];
  }
}

function span(least: number | undefined, most: number | undefined, of: (n: number) => string): string {
  if (least !== undefined && most !== undefined) return least === most ? t.forms.exactly(of(least)) : t.forms.between(String(least), of(most));
  if (least !== undefined) return t.forms.atLeast(of(least));
  return most !== undefined ? t.forms.atMost(of(most)) : "";
}

function range(least: string | undefined, most: string | undefined, above: boolean, below: boolean): string {
  if (least !== undefined && most !== undefined && !above && !below) return t.forms.between(least, most);
  const low = least === undefined ? "" : above ? t.forms.moreThan(least) : t.forms.atLeast(least);
  const high = most === undefined ? "" : below ? t.forms.lessThan(most) : t.forms.atMost(most);
  return [low, high].filter((part) => part !== "").join(", ");
}
