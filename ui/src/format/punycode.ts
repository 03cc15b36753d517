// Decodes the labels of a host (RFC 3492). A browser goes to the ASCII spelling; what it stands for is shown beside it.

const [BASE, TMIN, TMAX, SKEW, DAMP] = [36, 1, 26, 38, 700];
const PREFIX = "xn--";

/** A host with its punycode labels decoded. A label that does not decode stays as it is. */
export function decodedHost(host: string): string {
  return host
    .split(".")
    .map((label) => (label.startsWith(PREFIX) ? (decoded(label.slice(PREFIX.length)) ?? label) : label))
    .join(".");
}

function decoded(text: string): string | undefined {
  // A label of a host has at most 63 characters, and the insertions below are quadratic.
  if (text.length > 63) return undefined;
  const cutAt = text.lastIndexOf("-");
  const points = Array.from(text.slice(0, Math.max(cutAt, 0)), (char) => char.charCodeAt(0));
  let [code, at, bias] = [128, 0, 72];
  for (let next = cutAt + 1; next < text.length; at += 1) {
    const from = at;
    for (let [weight, k] = [1, BASE]; ; k += BASE) {
      const digit = digitOf(text.charAt(next));
      next += 1;
      if (digit === undefined) return undefined;
      at += digit * weight;
      const limit = Math.min(Math.max(k - bias, TMIN), TMAX);
      if (digit < limit) break;
      weight *= BASE - limit;
    }
    bias = adapted(at - from, points.length + 1, from === 0);
    code += Math.floor(at / (points.length + 1));
    at %= points.length + 1;
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
    points.splice(at, 0, code);
  }
  return String.fromCodePoint(...points);
}

function digitOf(char: string): number | undefined {
  if (/^[a-z]$/.test(char)) return char.charCodeAt(0) - 97;
  return /^[0-9]$/.test(char) ? char.charCodeAt(0) - 22 : undefined;
}

function adapted(delta: number, count: number, first: boolean): number {
  let left = Math.floor(delta / (first ? DAMP : 2));
  left += Math.floor(left / count);
  let k = 0;
  for (; left > ((BASE - TMIN) * TMAX) / 2; k += BASE) left = Math.floor(left / (BASE - TMIN));
  return k + Math.floor(((BASE - TMIN + 1) * left) / (left + SKEW));
}
