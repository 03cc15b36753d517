import { nextFrame } from "../../store/frame";
import css from "./Result.module.css";

/** So many blocks are higher than the box in which they scroll. */
const IN_SIGHT = 2;
/** So much of a frame is taken, in ms. */
const SLICE_MS = 4;

/**
 * Lays out also what is out of sight, some blocks with each frame: a screen reader is told of no line that is not laid out. What is in
 * sight stays where it is, however high the blocks before it come out. Returns what gives that up, and leaves the blocks as they were
 * before.
 */
export function layOut(box: HTMLElement, atEnd: boolean): () => void {
  const blocks = [...box.querySelectorAll<HTMLElement>(`.${css.block}`)];
  if (atEnd) {
    blocks.slice(-IN_SIGHT).forEach(lay);
    box.scrollTop = box.scrollHeight;
  }
  const over = new AbortController();
  void (async () => {
    let until = 0;
    for (const block of blocks) {
      if (performance.now() >= until) {
        await nextFrame();
        if (over.signal.aborted) return;
        until = performance.now() + SLICE_MS;
      }
      const height = box.scrollHeight;
      const isBefore = block.getBoundingClientRect().bottom <= box.getBoundingClientRect().top;
      lay(block);
      const grown = box.scrollHeight - height;
      if (isBefore && grown !== 0) box.scrollTop += grown;
    }
  })();
  return () => {
    over.abort();
    for (const block of blocks) delete block.dataset.laid;
  };
}

function lay(block: HTMLElement): void {
  block.dataset.laid = "out";
}
