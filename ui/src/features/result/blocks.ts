import type { Run } from "./ansi";

/** So many lines are laid out together. More would take a frame; fewer would make as many elements as lines. */
const LINES = 40;

/**
 * Runs of text in blocks of whole lines, so that only those in sight are laid out. The line feed between two blocks belongs to the
 * first: joined, the blocks are the text, also for who copies it.
 */
export function blocksOf(runs: readonly Run[]): Run[][] {
  const blocks: Run[][] = [];
  let block: Run[] = [];
  let lines = 0;
  for (const { text, look } of runs) {
    let start = 0;
    for (let end = text.indexOf("\n") + 1; end > 0; end = text.indexOf("\n", end) + 1) {
      lines += 1;
      if (lines < LINES) continue;
      block.push({ text: text.slice(start, end), look });
      blocks.push(block);
      [block, lines, start] = [[], 0, end];
    }
    if (start < text.length) block.push({ text: text.slice(start), look });
  }
  return block.length > 0 ? [...blocks, block] : blocks;
}
