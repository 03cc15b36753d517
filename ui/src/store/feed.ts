import { DeskError } from "../host/error";
import type { Host } from "../host/host";
import type { Cursor, View } from "../types";
import { nextFrame } from "./frame";
import { applyChange, type AnySeen } from "./seen";

/** How a view stands. With data and `offline`, the data is what was seen last. */
export interface FeedState<D = AnySeen> {
  readonly status: "loading" | "ready" | "offline";
  readonly data: D | undefined;
  /** Why it is offline. */
  readonly error: DeskError | undefined;
}

/** How long one look waits for a change, in ms. */
export const WAIT_MS = 25_000;

/** How long a view that was left is remembered, in ms: coming back soon shows at once what was seen last. */
export const REST_MS = 25_000;

/** Nobody sees two changes in less. */
const FRAME_MS = 16;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 10_000;

/**
 * Follows one view: one look after the other, each waiting at the desk until something changes.
 *
 * Without listeners it leaves its pending look, since the desk has few places for those that wait; it rests for a while
 * with what it saw last, so that coming back soon costs no more than one look.
 */
export class Feed {
  #state: FeedState = { status: "loading", data: undefined, error: undefined };
  #listeners = new Set<() => void>();
  #running = false;
  #cursor: Cursor | undefined;
  /** What was held at the cursor: the next change applies to it. */
  #held: AnySeen | undefined;
  #failures = 0;
  #answeredAt = -FRAME_MS;
  #wakeUp: (() => void) | undefined;
  #left: AbortController | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: Host,
    private readonly view: View,
    private readonly onEnd: () => void,
    /** Another window of the same list: its rows are not sent again. */
    beside?: Feed,
  ) {
    if (!beside) return;
    this.#cursor = beside.#cursor;
    this.#held = beside.#held;
  }

  get state(): FeedState {
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (!this.#running) void this.#run();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#wakeUp?.();
      this.#left?.abort();
    };
  }

  /** Looks again at once instead of waiting out the backoff. */
  retry(): void {
    this.#wakeUp?.();
  }

  async #run(): Promise<void> {
    this.#running = true;
    clearTimeout(this.#resting);
    while (this.#listeners.size > 0) {
      const left = new AbortController();
      this.#left = left;
      try {
        await this.#look(left.signal);
        await this.#pace();
      } catch (thrown) {
        // Somebody may have come back before the look that was left has ended: that is no failure, and they look anew.
        if (left.signal.aborted) continue;
        this.#set({ status: "offline", data: this.#state.data, error: DeskError.from(thrown) });
        await this.#backOff();
      }
    }
    this.#running = false;
    this.#resting = setTimeout(this.onEnd, REST_MS);
  }

  async #look(left: AbortSignal): Promise<void> {
    // Without wait at first, and after a failure: a desk that is back must not leave the window offline for a whole wait.
    const waitMs = this.#state.status === "ready" ? WAIT_MS : 0;
    const after = this.#cursor ? { after: this.#cursor } : {};
    const answered = await this.host.ask({ ask: "changes", view: this.view, ...after, waitMs }, left);
    if (answered.answered !== "changes") throw new Error("BUG: a look was answered as an act");
    const { cursor, data } = answered.changes;
    const seen = data ? applyChange(this.#held, data) : this.#held;
    if (seen === undefined) {
      // Rows went missing on the way: ask for all of it. A whole view with a hole would be asked for without end.
      if (!this.#cursor) throw new Error("BUG: a fresh view is not whole");
      this.#cursor = undefined;
      return;
    }
    this.#failures = 0;
    this.#cursor = cursor;
    this.#held = seen;
    if (data || this.#state.status !== "ready") this.#set({ status: "ready", data: seen, error: undefined });
  }

  /** Two answers within a frame: the next look waits for the one after it. */
  async #pace(): Promise<void> {
    const now = performance.now();
    const isSoon = now - this.#answeredAt < FRAME_MS;
    this.#answeredAt = now;
    if (isSoon) await nextFrame();
  }

  #backOff(): Promise<void> {
    const ms = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** this.#failures);
    this.#failures += 1;
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    }).then(() => {
      this.#wakeUp = undefined;
    });
  }

  #set(state: FeedState): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener();
  }
}
