import { DeskError } from "../host/error";
import type { CloseChoice, CloseRequest, Host, SafeGraphics, SavedTasks, WhichPart } from "../host/host";
import type { Answered, ApiError, Ask, CallId, Changes, Command, Reply, RequestId, Theme, View, ViewData } from "../types";

type Show = (view: View) => ViewData;
type Act = (command: Command) => Reply | Promise<Reply>;
type Look = Extract<Ask, { ask: "changes" }>;

const UNSAID: ApiError = { code: "internal", message: "The test says nothing of this", retry: "never" };

/** Commands by which places that most tests are not about ask for something: each is called as its reply. */
const ASKED = ["secrets", "language", "tool", "earlier_answers", "palette"] as const;

/** A desk in memory for tests and for the preview: shows what it is told to, answers looks as the real one does. */
export class FakeHost implements Host {
  /** Commands it got, in order. */
  readonly commands: Command[] = [];
  /** Looks it got, in order. */
  readonly looks: Look[] = [];
  /** What else was asked of it. */
  readonly opened: string[] = [];
  readonly pages: RequestId[] = [];
  /** What was noted beside those. */
  readonly notedAtPages: string[] = [];
  /** What opening a page does at the desk. */
  visit: (request: RequestId, asks: string) => Promise<void> = () => Promise.resolve();
  readonly copied: string[] = [];
  /** Parts of results that were saved and opened. */
  readonly savedParts: [CallId, WhichPart][] = [];
  readonly openedParts: [CallId, WhichPart][] = [];
  /** Tasks that were saved, and what comes of it. */
  readonly savedTasks: (readonly CallId[])[] = [];
  saveAs: (calls: readonly CallId[]) => Promise<SavedTasks | null> = (calls) => Promise.resolve({ lines: calls.length, leftOut: 0 });
  readonly closed: CloseChoice[] = [];
  stayed = 0;
  quits = 0;
  /** Whether the last look at what stops was about quitting. */
  lookedAll: boolean | undefined;
  restarts = 0;
  /** Why it is drawn with safe graphics. */
  graphics: SafeGraphics | null = null;
  /** Whether its program can outlive the window. */
  outlives = false;
  /** What stops if the window closes now. */
  stops: CloseRequest | null = null;
  /** What the system's part of the window wears. */
  worn: Theme | undefined;
  readied = 0;
  /** How large its page is shown. */
  zoomed = 1;
  /** What the answer to a look waits for. */
  late: (view: View) => Promise<void> | undefined = () => undefined;

  #seq = 1;
  /** What was seen, by the shape that its cursor says. */
  #sent = new Map<string, ViewData>();
  #waiting = new Set<() => void>();
  #closeHandlers = new Set<(request: CloseRequest) => void>();
  #leaveHandlers = new Set<() => Promise<boolean>>();
  #down: ApiError | undefined;

  constructor(
    public show: Show,
    public act: Act = () => ({ type: "done" }),
  ) {}

  /** Something changed: every pending look looks again. */
  touch(): void {
    this.#seq += 1;
    for (const wake of [...this.#waiting]) wake();
  }

  /** From now on every look and act fails so; undefined ends it. */
  fail(error: ApiError | undefined): void {
    this.#down = error;
    for (const wake of [...this.#waiting]) wake();
  }

  /** The person wants to close the window. */
  requestClose(request: CloseRequest): void {
    this.stops = request;
    for (const handler of this.#closeHandlers) handler(request);
  }

  async ask(ask: Ask, left?: AbortSignal): Promise<Answered> {
    if (this.#down) throw new DeskError(this.#down);
    if (ask.ask === "call") {
      this.commands.push(ask.command);
      // What is typed is read before its list is asked for, and most tests are about something else.
      const read: Reply = { type: "filtered" };
      const said = await this.act(ask.command);
      const reply = ask.command.type === "read_filter" && said.type !== "filtered" ? read : said;
      // No desk answers with the reply of another command: what a test says nothing of is refused.
      if (ASKED.some((type) => ask.command.type === type && reply.type !== type)) throw new DeskError(UNSAID);
      return { answered: "reply", reply };
    }
    this.looks.push(ask);
    return { answered: "changes", changes: await this.#changes(ask, left) };
  }

  /** Looks that wait for a change. */
  get waiting(): number {
    return this.#waiting.size;
  }

  async #changes({ view, after, waitMs }: Look, left?: AbortSignal): Promise<Changes> {
    if (after && after.seq === this.#seq && waitMs > 0) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
        left?.addEventListener("abort", wake);
      });
      if (left?.aborted) throw new DeskError({ code: "owner_gone", message: "nobody waits", retry: "later" });
      if (this.#down) throw new DeskError(this.#down);
    }
    const late = this.late(view);
    if (late) await late;
    const data = this.show(view);
    const before = after && this.#sent.get(after.shape);
    if (before && JSON.stringify(before) === JSON.stringify(data)) return { cursor: { ...after, seq: this.#seq } };
    const shape = String(this.#sent.size);
    this.#sent.set(shape, data);
    return { cursor: { epoch: 1, seq: this.#seq, shape }, data: before ? changedOnly(before, data) : data };
  }

  ready(): Promise<void> {
    this.readied += 1;
    return Promise.resolve();
  }

  openPage(request: RequestId, asks: string, _seen: string | undefined, remark: string | undefined): Promise<void> {
    this.pages.push(request);
    if (remark !== undefined) this.notedAtPages.push(remark);
    return this.visit(request, asks);
  }

  openUrl(url: string): Promise<void> {
    this.opened.push(url);
    return Promise.resolve();
  }

  savePart(call: CallId, part: WhichPart): Promise<boolean> {
    this.savedParts.push([call, part]);
    return Promise.resolve(true);
  }

  openPart(call: CallId, part: WhichPart): Promise<void> {
    this.openedParts.push([call, part]);
    return Promise.resolve();
  }

  saveTasks(calls: readonly CallId[]): Promise<SavedTasks | null> {
    this.savedTasks.push(calls);
    return this.saveAs(calls);
  }

  copy(text: string): Promise<void> {
    this.copied.push(text);
    return Promise.resolve();
  }

  wear(theme: Theme): Promise<void> {
    this.worn = theme;
    return Promise.resolve();
  }

  zoom(factor: number): Promise<void> {
    this.zoomed = factor;
    return Promise.resolve();
  }

  onCloseRequested(handler: (request: CloseRequest) => void): () => void {
    this.#closeHandlers.add(handler);
    return () => this.#closeHandlers.delete(handler);
  }

  onLeaving(save: () => Promise<boolean>): () => void {
    this.#leaveHandlers.add(save);
    return () => this.#leaveHandlers.delete(save);
  }

  /** The window is about to go. */
  async leave(): Promise<void> {
    await Promise.all([...this.#leaveHandlers].map((save) => save()));
  }

  whatStops(all: boolean): Promise<CloseRequest | null> {
    this.lookedAll = all;
    return Promise.resolve(this.stops);
  }

  quit(): Promise<void> {
    this.quits += 1;
    return Promise.resolve();
  }

  version(): Promise<string> {
    return Promise.resolve("0.1.0");
  }

  safeGraphics(): Promise<SafeGraphics | null> {
    return Promise.resolve(this.graphics);
  }

  outlivesWindow(): Promise<boolean> {
    return Promise.resolve(this.outlives);
  }

  restartBackground(): Promise<void> {
    this.restarts += 1;
    return Promise.resolve();
  }

  stayOpen(): Promise<void> {
    this.stayed += 1;
    return Promise.resolve();
  }

  closeWindow(choice: CloseChoice): Promise<void> {
    this.closed.push(choice);
    return Promise.resolve();
  }
}

/** A page with only those rows that changed, as the desk sends it; copied, as everything that crosses a boundary. */
function changedOnly(before: ViewData, data: ViewData): ViewData {
  const rowsOf = (view: ViewData) => new Set("page" in view ? view.page.rows.map((row) => JSON.stringify(row)) : []);
  const known = rowsOf(before);
  const copy = structuredClone(data);
  if (copy.type === "tasks") copy.page.rows = copy.page.rows.filter((row) => !known.has(JSON.stringify(row)));
  if (copy.type === "inbox") copy.page.rows = copy.page.rows.filter((row) => !known.has(JSON.stringify(row)));
  return copy;
}
