import { decodedHost } from "./punycode";

/** What is known of a page's host from its spelling and from the server's address alone. Nothing is looked up. */
export interface HostFacts {
  /** How it reads, where that differs from how it is sent. */
  reads?: string;
  /** The scripts of its letters, where they are not all Latin. */
  scripts: string[];
  /** The server's host, where it is another one. */
  serverHost?: string;
  /** Whether it is the machine of the person. */
  loopback: boolean;
}

const SCRIPTS: readonly (readonly [name: string, letters: RegExp])[] = [
  ["Latin", /\p{Script=Latin}/u],
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
  ["Armenian", /\p{Script=Armenian}/u],
  ["Cherokee", /\p{Script=Cherokee}/u],
  ["Georgian", /\p{Script=Georgian}/u],
  ["Hebrew", /\p{Script=Hebrew}/u],
  ["Arabic", /\p{Script=Arabic}/u],
  ["Devanagari", /\p{Script=Devanagari}/u],
  ["Thai", /\p{Script=Thai}/u],
  ["Hangul", /\p{Script=Hangul}/u],
  ["Hiragana", /\p{Script=Hiragana}/u],
  ["Katakana", /\p{Script=Katakana}/u],
  ["Han", /\p{Script=Han}/u],
];

/** The facts of a host, as a browser goes to it, beside the address or command of the server that names it. */
export function hostFacts(host: string, place: string): HostFacts {
  const reads = decodedHost(host);
  const loopback = isLoopback(host);
  const server = hostOf(place);
  const another = host !== "" && server !== undefined && server !== host && !(loopback && isLoopback(server));
  return {
    ...(reads !== host && { reads }),
    scripts: reads === host ? [] : scriptsOf(reads),
    ...(another && { serverHost: server }),
    loopback,
  };
}

function isLoopback(host: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[::1\]|(.+\.)?localhost\.?)$/.test(host);
}

/** The host of a server's address; a command has none. */
function hostOf(place: string): string | undefined {
  if (!/^https?:\/\//i.test(place) || !URL.canParse(place)) return undefined;
  return new URL(place).hostname;
}

/** The top-level name is left out: it is Latin for nearly every host and would make each one look mixed. */
function scriptsOf(host: string): string[] {
  const name = host.includes(".") ? host.slice(0, host.lastIndexOf(".")) : host;
  const found = SCRIPTS.filter(([, letters]) => letters.test(name)).map(([script]) => script);
  return found.length === 1 && found[0] === "Latin" ? [] : found;
}
