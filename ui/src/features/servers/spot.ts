import type { DeskError } from "../../host/error";
import type { ServerDraft, Spot } from "./draft";

/** Where in the form an error of the desk belongs; undefined for the form as a whole. */
export function spotOf({ code }: DeskError, draft: ServerDraft, adding: boolean): Spot | undefined {
  switch (code) {
    case "name_taken":
      return adding ? "name" : undefined;
    case "no_keychain":
    case "secrets_locked":
    case "secret_missing":
      return "secrets";
    case "usage":
      // The desk says in words what it refuses. What can plainly be no URL is the URL; what is left is the name.
      if (draft.kind === "http" && !isUrl(draft.url)) return "url";
      return adding ? "name" : undefined;
    default:
      return undefined;
  }
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
