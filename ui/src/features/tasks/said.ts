import { signalOfTask } from "../../components/lamp";
import { OUTCOME_MEANS, noteWords } from "../../strings";
import type { TaskRow } from "../../types";

/** Why a task ended as it did, as far as that is known of this very task. What went well has no reason. */
export function whyOf({ outcome, note }: TaskRow): string | undefined {
  return outcome === undefined || outcome === "ok" || note === undefined ? undefined : noteWords(note);
}

/** What the ending of a task says of it in words of ours; nothing of a task that goes on. */
export function endingOf(row: TaskRow): string[] {
  if (row.outcome === undefined) return [];
  return [signalOfTask(row).word, whyOf(row) ?? OUTCOME_MEANS[row.outcome]];
}

/** Whether a text says no more than one of some sentences: all its words stand there, in this order. */
export function isSaid(text: string, sentences: readonly string[]): boolean {
  const words = wordsOf(text);
  return words.length > 0 && sentences.some((sentence) => isWithin(words, wordsOf(sentence)));
}

/** What turns a sentence into its opposite. */
const TURNS = new Set(["no", "not", "never", "cannot", "nothing", "nobody", "longer"]);

function isWithin(words: readonly string[], others: readonly string[]): boolean {
  if (others.some((other) => TURNS.has(other) && !words.includes(other))) return false;
  let at = 0;
  for (const other of others) if (other === words[at]) at += 1;
  return at === words.length;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
