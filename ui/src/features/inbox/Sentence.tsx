import type { ReactNode } from "react";

/** A sentence of the catalogue with something in it that is no plain text: a time, a server's word. */
export function Sentence({ text, part }: { text: (part: string) => string; part: ReactNode }) {
  const [before, after] = text("\u0000").split("\u0000");
  return (
    <>
      {before}
      {part}
      {after}
    </>
  );
}
