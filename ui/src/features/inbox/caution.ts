import type { KnownTool } from "../../store/useTool";

/** Why a yes takes a press of its own: the tool says that it may destroy something, or it is not known whether it says so. */
export type Caution = "destroys" | "unknown";

/** What there is to be careful of; nothing where the tool says nothing of the kind. `destructive` is what the question's view says. */
export function cautionOf({ tool, isKnown }: KnownTool, destructive: boolean): Caution | undefined {
  if (destructive || tool?.destructive === true) return "destroys";
  return isKnown ? undefined : "unknown";
}
