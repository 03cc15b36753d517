import { nextFrame } from "../../store/frame";
import css from "./Result.module.css";

/** So many blocks are higher than the box in which they scroll. */
const IN_SIGHT = 2;

/**
 * Lays out also what is out of sight, a block with each frame: a screen reader is told of no line that is not laid out. What is shown
 * from its end stays where it is meanwhile, however high the blocks before it come out. Returns what gives that up, and leaves the
 * blocks as they were before.
 */
export function layOut(box: HTMLElement, atEnd: boolean): () => void {
  const blocks = [...box.querySelectorAll<HTMLElement>(`.${css.block}`)];
  const lay = (block: HTMLElement) => (block.dataset.laid = "out");
  if (atEnd) {
    blocks.slice(-IN_SIGHT).forEach(lay);
    box.scrollTop = box.scrollHeight;
  }
  const over = new AbortController();
  void (async () => {
    for (const block of blocks) {
      await nextFrame();
      if (over.signal.aborted) return;
      const toEnd = atEnd ? box.scrollHeight - box.scrollTop : undefined;
      lay(block);
      if (toEnd !== undefined) box.scrollTop = box.scrollHeight - toEnd;
    }
  })();
  return () => {
    over.abort();
    for (const block of blocks) delete block.dataset.laid;
  };
}
