const PLAIN = /^[\w@%+=:,./-]+$/;
/** A drive, or a share: it stands at a prompt that knows double quotes only. */
const WINDOWS = /^([A-Za-z]:[\\/]|\\\\)/;

/** A word as it is typed at a prompt: in quotes where it needs them. */
export function quoted(word: string): string {
  if (WINDOWS.test(word)) return /[^\w\\:.-]/.test(word) ? `"${word}"` : word;
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
