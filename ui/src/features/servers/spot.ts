import type { DeskError } from "../../host/error";
import { rowsOf, type ServerDraft, type Spot } from "./draft";
import { isUnkept } from "./unkept";

/** Where in the form an error of the desk belongs; nowhere for the form as a whole. */
export function spotsOf(error: DeskError, draft: ServerDraft, adding: boolean): Spot[] {
  const rows = valuesIn(error);
  if (rows.length > 0) {
    const at = draft[draft.kind === "http" ? "headers" : "env"].filter((row) => rows.includes(row.name.trim()));
    if (at.length > 0) return at.map((row): Spot => `row-${row.id}`);
  }
  switch (error.code) {
    case "name_taken":
      return adding ? ["name"] : [];
    case "no_keychain":
    case "secrets_locked":
    case "secret_missing":
      return ["secrets"];
    case "usage":
      // The desk says in words what it refuses. What can plainly be no URL is the URL; what is left is the name.
      if (draft.kind === "http" && !isUrl(draft.url)) return ["url"];
      return adding ? ["name"] : [];
    default:
      return [];
  }
}

/** The lines whose values could not be kept as secrets: they may be kept otherwise. */
export function stuckRows(error: DeskError, draft: ServerDraft): ReadonlySet<number> {
  const names = isUnkept(error.code) ? valuesIn(error) : [];
  return new Set(rowsOf(draft).flatMap((row) => (row.source === "literal" && names.includes(row.name.trim()) ? [row.id] : [])));
}

/** The headers or variables that the desk names. */
function valuesIn({ detail }: DeskError): string[] {
  return detail !== undefined && "values" in detail ? detail.values : [];
}

function isUrl(text: string): boolean {
  if (!URL.canParse(text.trim())) return false;
  const url = new URL(text.trim());
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/** What is wrong at a spot, as a field wants it. */
export function errorsAt(errors: ReadonlyMap<Spot, string>, spot: Spot): string[] {
  const error = errors.get(spot);
  return error === undefined ? [] : [error];
}
