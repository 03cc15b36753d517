/** `812 B`, `4.2 KiB`, `20 MiB`. No number is rounded up to the next longer one, nor to the next unit. */
export function bytes(count: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit > 0 && value < 10 ? Math.min(value, 9.9).toFixed(1) : Math.floor(value)} ${units[unit] ?? ""}`;
}

/** `1,284`, of a whole number. */
export function count(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
