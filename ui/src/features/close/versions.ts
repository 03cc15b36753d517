const VERSION = /^(\d+)\.(\d+)\.(\d+)(-[^+]+)?(?:\+.*)?$/;

/** Whether a version of ours came after another one; undefined where that does not show. */
export function isAfter(one: string, other: string): boolean | undefined {
  const [a, b] = [VERSION.exec(one), VERSION.exec(other)];
  if (a === null || b === null) return undefined;
  for (const part of [1, 2, 3]) {
    const apart = Number(a[part]) - Number(b[part]);
    if (apart !== 0) return apart > 0;
  }
  // What was made before a release is older than that; among those the order is nobody's business.
  if ((a[4] === undefined) === (b[4] === undefined)) return undefined;
  return a[4] === undefined;
}
