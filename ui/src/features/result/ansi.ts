// Colours that a program wrote for a terminal (SGR), as runs of text with a look of ours. Grounds, blinking, inverse and hidden text
// are left out: all text can be read. What else a terminal would obey stays in the text, and is shown there as a sign.

/** Colours that have a token. What is black, white or grey in a terminal has the colour of text. */
export type Colour = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";

/** How a run looks. */
export interface Look {
  colour?: Colour | undefined;
  bold?: boolean;
  faint?: boolean;
  italic?: boolean;
  underline?: boolean;
  struck?: boolean;
}

/** Text that looks the same. */
export interface Run {
  text: string;
  look: Look;
}

const CODE = /\u001b\[([\d;:]*)m/g;

/** More runs of one text are not told apart: each is an element on the screen. */
export const MOST_RUNS = 4_000;

const BASE: readonly (Colour | undefined)[] = [undefined, "red", "green", "yellow", "blue", "magenta", "cyan", undefined];

/** A text without its codes, and its runs. The last run has what is left where there are very many. */
export function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  let look: Look = {};
  let end = 0;
  const add = (part: string) => {
    const last = runs.at(-1);
    if (part === "") return;
    if (last && sameLook(last.look, look)) last.text += part;
    else if (last && runs.length >= MOST_RUNS) last.text += part;
    else runs.push({ text: part, look });
  };
  for (const code of text.matchAll(CODE)) {
    add(text.slice(end, code.index));
    look = looked(look, code[1] ?? "");
    end = code.index + code[0].length;
  }
  add(text.slice(end));
  return runs;
}

function sameLook(one: Look, other: Look): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The look after a code. */
function looked(before: Look, code: string): Look {
  let look = { ...before };
  const numbers = code.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at += 1) {
    const n = numbers[at] ?? 0;
    if (n === 0) look = {};
    else if (n === 38 || n === 48 || n === 58) {
      const [colour, taken] = extended(numbers, at + 1);
      if (n === 38) look.colour = colour;
      at += taken;
    } else if (n >= 30 && n <= 37) look.colour = BASE[n - 30];
    else if (n >= 90 && n <= 97) look.colour = BASE[n - 90];
    else if (n === 39) delete look.colour;
    else Object.assign(look, STYLES[n] ?? {});
  }
  if (look.colour === undefined) delete look.colour;
  return Object.fromEntries(Object.entries(look).filter(([, on]) => on !== false));
}

const STYLES: Partial<Record<number, Look>> = {
  1: { bold: true },
  2: { faint: true },
  3: { italic: true },
  4: { underline: true },
  9: { struck: true },
  21: { underline: true },
  22: { bold: false, faint: false },
  23: { italic: false },
  24: { underline: false },
  29: { struck: false },
};

/** One of 256 colours or of all, and how many numbers say it. */
function extended(numbers: readonly number[], at: number): [Colour | undefined, number] {
  if (numbers[at] === 5) return [ofTable(numbers[at + 1] ?? 0), 2];
  if (numbers[at] === 2) return [ofLight(numbers[at + 1] ?? 0, numbers[at + 2] ?? 0, numbers[at + 3] ?? 0), 4];
  return [undefined, 0];
}

function ofTable(n: number): Colour | undefined {
  if (n < 16) return BASE[n % 8];
  if (n > 231) return undefined;
  const cube = n - 16;
  return ofLight(Math.floor(cube / 36) * 51, (Math.floor(cube / 6) % 6) * 51, (cube % 6) * 51);
}

/** The colour that light comes nearest to; none where it is nearly grey. */
function ofLight(red: number, green: number, blue: number): Colour | undefined {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const range = most - least;
  if (!(range >= 48)) return undefined;
  const turn = most === red ? (green - blue) / range : most === green ? 2 + (blue - red) / range : 4 + (red - green) / range;
  return WHEEL[((Math.round(turn) % 6) + 6) % 6];
}

const WHEEL: readonly Colour[] = ["red", "yellow", "green", "cyan", "blue", "magenta"];
