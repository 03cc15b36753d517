// What stands within a paragraph of markdown (`markdown.ts`).

/** A stretch within a line. */
export type Span = string | { kind: "strong" | "emphasis"; of: Span[] } | { kind: "code"; text: string };

/** So deep go quotes and lists, and stress, into each other; what is deeper is plain. */
export const DEEPEST = 4;

/** What may begin or end something. A sign behind a backslash does neither, and both are shown. */
const RUN = /\\[\p{P}\p{S}]|`+|\*{1,3}(?!\*)|_{1,3}(?!_)|[*_]+/gu;

interface Run {
  sign: string;
  at: number;
  opens: boolean;
  closes: boolean;
}

const isSpace = (char: string) => char.trim() === "";
const isWord = (char: string) => /[\p{L}\p{N}]/u.test(char);

/** Stress begins and ends at words and never within one, where stars multiply and lines join. Code does anywhere, and nothing does in it. */
function runsIn(text: string): Run[] {
  const found = [...text.matchAll(RUN)].filter(([sign]) => !sign.startsWith("\\") && (sign.startsWith("`") || sign.length <= 3));
  const all = found.map(({ 0: sign, index: at }): Run => {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + sign.length)];
    if (sign.startsWith("`")) return { sign, at, opens: true, closes: true };
    return { sign, at, opens: !isSpace(after) && !isWord(before), closes: !isSpace(before) && !isWord(after) };
  });
  const runs: Run[] = [];
  const next = nextIn(all);
  for (let n = 0; n < all.length; n++) {
    const run = all[n];
    if (!run) continue;
    const end = run.sign.startsWith("`") ? next(n) : undefined;
    if (!run.sign.startsWith("`")) runs.push(run);
    if (end === undefined) continue;
    runs.push(run, ...all.slice(end, end + 1));
    n = end;
  }
  return runs;
}

/** Finds the run that ends what another one begins. Where one finds none, those behind it with the same sign find none, either. */
function nextIn(runs: readonly Run[]): (n: number) => number | undefined {
  const unended = new Set<string>();
  return (n) => {
    const run = runs[n];
    if (!run?.opens || unended.has(run.sign)) return undefined;
    for (let place = n + 1; place < runs.length; place++) {
      const other = runs[place];
      if (other?.sign === run.sign && other.closes && other.at > run.at + run.sign.length) return place;
    }
    unended.add(run.sign);
    return undefined;
  };
}

/** Reads the words of a paragraph. */
export function spansIn(text: string, depth = 0): Span[] {
  if (depth >= DEEPEST) return [text];
  const runs = runsIn(text);
  const next = nextIn(runs);
  const spans: Span[] = [];
  let done = 0;
  for (let n = 0; n < runs.length; n++) {
    const run = runs[n];
    const close = next(n);
    const end = close === undefined ? undefined : runs[close];
    if (!run || !end || close === undefined) continue;
    if (run.at > done) spans.push(text.slice(done, run.at));
    spans.push(spanOf(run.sign, text.slice(run.at + run.sign.length, end.at), depth + 1));
    done = end.at + run.sign.length;
    n = close;
  }
  if (done < text.length) spans.push(text.slice(done));
  return spans;
}

function spanOf(sign: string, inner: string, depth: number): Span {
  if (sign.startsWith("`")) return { kind: "code", text: inner };
  const of = spansIn(inner, depth);
  if (sign.length === 1) return { kind: "emphasis", of };
  return { kind: "strong", of: sign.length === 2 ? of : [{ kind: "emphasis", of }] };
}
