/** What a test's filters may ask of a row. */
interface Row {
  server: string;
  serverName: string;
  tool: string;
  /** What plain words are looked for in. */
  text: string;
}

/**
 * As the desk filters, by as much of its language as tests write. Of one filter, tokens of one key join by "or" and all others by
 * "and"; filters beside each other by "and", so that no token of one joins a token of the other.
 */
export function isShown(row: Row, ...filters: readonly string[]): boolean {
  return filters.every((filter) => {
    const byKey = new Map<string, boolean[]>();
    for (const token of filter.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []) {
      const { key, fits } = read(token, row);
      byKey.set(key, [...(byKey.get(key) ?? []), fits]);
    }
    return [...byKey.values()].every((any) => any.some(Boolean));
  });
}

/** With what a token joins, and whether a row fits it. */
function read(token: string, { server, serverName, tool, text }: Row): { key: string; fits: boolean } {
  if (token.startsWith("-")) return { key: token, fits: !read(token.slice(1), { server, serverName, tool, text }).fits };
  const [, key = token, value = ""] = /^(server|tool):(.*)$/.exec(token.replaceAll('"', "")) ?? [];
  if (key === "server") return { key, fits: value === server || value === serverName };
  if (key === "tool") return { key, fits: value === tool };
  return { key, fits: text.includes(token.replaceAll('"', "")) };
}
