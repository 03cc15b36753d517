/** A server's place, with its host apart so that it can be emphasised; a command line has none. */
export function splitHost(place: string): { before: string; host: string; after: string } {
  const parts = /^(https?:\/\/(?:[^/?#]*@)?)(\[[^\]]*\]|[^/?#:]+)(.*)$/is.exec(place);
  return { before: parts?.[1] ?? place, host: parts?.[2] ?? "", after: parts?.[3] ?? "" };
}

/** The protocol as a person reads it. */
export function protocolWord(version: string | undefined): string {
  if (version === undefined) return "";
  return /^\d/.test(version) ? `MCP ${version}` : version;
}
