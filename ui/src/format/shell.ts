const PLAIN = /^[\w@%+=:,./-]+$/;
/** A drive, or a share: it stands at a prompt that knows double quotes only. */
const WINDOWS = /^([A-Za-z]:[\\/]|\\\\)/;

/** A path or program of this machine as it is typed at a prompt: in quotes where it needs them. */
export function quoted(word: string): string {
  if (WINDOWS.test(word)) return /[^\w\\:.-]/.test(word) ? `"${word}"` : word;
  return literal(word);
}

/** A word of others as it is typed at a POSIX prompt. Within single quotes no such shell does anything, whatever stands there. */
export function literal(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
