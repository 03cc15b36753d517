/** A window that is not seen draws no frames, and is to hold what is true all the same: it looks this often, in ms. */
const UNSEEN_MS = 1_000;

/** Resolves with the next frame: nobody sees more changes than frames. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const frame = requestAnimationFrame(done);
    const timer = setTimeout(done, UNSEEN_MS);
    function done() {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      resolve();
    }
  });
}
