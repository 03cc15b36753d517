import { t } from "../strings";
import type { Field, Json } from "../types";
import { scan } from "./json";

interface Fields {
  fields: readonly Field[];
}

/** JSON text with something else in some places; a place is known by its JSON pointer. All else stays as it is written. */
export function replacedAt(json: Json, instead: (path: string, value: Json) => string | undefined, path = ""): Json {
  const other = path === "" ? undefined : instead(path, json);
  if (other !== undefined) return JSON.stringify(other);
  const scanned = scan(json);
  if (!scanned.ok || scanned.value.kind === "scalar") return json;
  if (scanned.value.kind === "array") return `[${scanned.value.elements.map((element, at) => replacedAt(element, instead, `${path}/${at}`)).join(",")}]`;
  return objectOf(scanned.value.members.map(([name, value]) => [name, replacedAt(value, instead, below(path, name))]));
}

/** JSON text without the members in these places. */
export function withoutAt(json: Json, paths: readonly string[], path = ""): Json {
  const scanned = scan(json);
  if (paths.length === 0 || !scanned.ok || scanned.value.kind === "scalar") return json;
  if (scanned.value.kind === "array") return `[${scanned.value.elements.map((element, at) => withoutAt(element, paths, `${path}/${at}`)).join(",")}]`;
  const left = scanned.value.members.filter(([name]) => !paths.includes(below(path, name)));
  return objectOf(left.map(([name, value]) => [name, withoutAt(value, paths, below(path, name))]));
}

/** The places of secrets in content, as far as its fields tell. The desk knows of more where there are no fields. */
export function secretsIn({ fields }: Fields, content: Json): string[] {
  const names = new Set(fields.filter(isSecret).map(({ name }) => name));
  const scanned = names.size === 0 ? undefined : scan(content);
  if (!scanned?.ok || scanned.value.kind !== "object") return [];
  const told = scanned.value.members.filter(([name, value]) => names.has(name) && value !== "null" && value !== '""');
  return told.map(([name]) => below("", name));
}

/** What a place is called: the label of its field; where there is none, the names that lead to it. */
export function labelAt({ fields }: Fields, path: string): string {
  const names = path.split("/").slice(1).map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  return fields.find((field) => field.name === names[0])?.label ?? (names.join(" / ") || t.forms.content);
}

export function isSecret({ secret }: Pick<Field, "secret">): boolean {
  return secret === true;
}

/** How many characters a value has. */
export function lengthOf(value: Json): number {
  return Array.from(value.startsWith('"') ? (JSON.parse(value) as string) : value).length;
}

function below(path: string, name: string): string {
  return `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function objectOf(members: readonly (readonly [name: string, value: Json])[]): Json {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
}
