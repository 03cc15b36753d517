import type { Json, RequestDetail } from "../../types";

/** How to tell whether content is a mere yes or no; undefined where a question asks for more, or was answered before. */
export function yesNoOf({ row, form, ways, round }: RequestDetail): ((content: Json) => boolean) | undefined {
  const [field, ...others] = form?.fields ?? [];
  if (row.state !== "open" || ways.accept !== "content" || (round?.requests.length ?? 1) > 1) return undefined;
  if (field?.kind.type !== "boolean" || others.length > 0 || form?.notes.length !== 0) return undefined;
  const contents = [true, false].map((value) => JSON.stringify({ [field.name]: value }));
  return (content) => contents.includes(content);
}
