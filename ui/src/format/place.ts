import { brief } from "./text";

/** A server's place, with its host apart so that it can be emphasised; a command line has none. */
export function splitHost(place: string): { before: string; host: string; after: string } {
  const parts = /^(https?:\/\/(?:[^/?#]*@)?)(\[[^\]]*\]|[^/?#:]+)(.*)$/is.exec(place);
  return { before: parts?.[1] ?? place, host: parts?.[2] ?? "", after: parts?.[3] ?? "" };
}

/** The protocol as a person reads it. Its version is the server's to say. */
export function protocolWord(version: string | undefined): string {
  const word = brief(version ?? "", 40);
  return /^\d/.test(word) ? `MCP ${word}` : word;
}
