/** `812 B`, `4.2 KiB`, `20 MiB`. */
export function bytes(count: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? ""}`;
}

const COUNT = new Intl.NumberFormat("en-GB");

/** `1,284`. */
export function count(n: number): string {
  return COUNT.format(n);
}
