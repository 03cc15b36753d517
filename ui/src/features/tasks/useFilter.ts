import { useState } from "react";

import { useAdjusted } from "../../store/useAdjusted";
import { useDelayed } from "../../store/useDelayed";
import { useReply } from "../../store/useReply";
import type { Offer } from "../../types";
import { filterOf, isToken, tokensOf, withoutTokenAt, type Shown } from "./shown";

/** Typing rests so long before the desk is asked, or remembers it. */
export const TYPING_MS = 120;

/** A filter that is being typed. */
export interface Typing {
  /** The last one that could be read: the list stays as it is while a token is not finished. */
  filter: string;
  fault: string | undefined;
  offers: readonly Offer[];
  /** Where the caret stands in the text. */
  onCaret: (caret: number) => void;
  /** What is shown once an offer is taken. */
  taken: (offer: Offer) => Shown;
}

/** Reads what is typed at the desk, which knows the language, and says what may be meant. */
export function useFilter(shown: Shown, server: string | null): Typing {
  const [caret, onCaret] = useState(shown.text.length);
  const { tokens, text } = shown;
  const finished = filterOf(server, tokens, "");
  // What is finished is not what is being typed.
  const before = (finished === "" ? "" : `${finished} `) + text.slice(0, caret);
  const wish = useDelayed(JSON.stringify({ before, after: text.slice(caret), whole: filterOf(server, tokens, text) }), TYPING_MS);
  const asked = JSON.parse(wish) as { before: string; after: string; whole: string };
  const { reply } = useReply({ type: "read_filter", list: "tasks", before: asked.before, after: asked.after });
  // What is offered stays until more is known: a press must not meet an empty list.
  const [said] = useAdjusted(useState(reply), (last) => reply ?? last);
  const readable = reply !== undefined && reply.fault === undefined;
  const [filter] = useAdjusted(useState(asked.whole), (last) => (readable ? asked.whole : last));
  return {
    filter,
    fault: said?.fault,
    offers: said?.offers ?? [],
    onCaret,
    taken: (offer) => {
      const rest = withoutTokenAt(text, caret);
      const parts = tokensOf(offer.text);
      const chips = parts.filter((part) => parts.length > 1 || isToken(part));
      const words = parts.filter((part) => !chips.includes(part));
      return { ...shown, tokens: [...tokens, ...chips], text: [rest, ...words].filter(Boolean).join(" ") };
    },
  };
}
