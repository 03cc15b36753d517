import { useMemo } from "react";

import { RichText } from "../../components/RichText";
import { t } from "../../strings";
import { JsonViews } from "./JsonViews";
import { wholeOf } from "./level";
import { Lines } from "./Lines";
import { LongText } from "./LongText";
import css from "./Result.module.css";
import { pieceOf, type Source } from "./source";

/** A longer text is shown in pieces, in characters. */
const LONGEST = 64 * 1024;
/** So many characters of a text without lines are shown before a person asks for all. */
const BRIEF = 4_000;

interface Props {
  /** The text; of a long one the beginning. */
  text: string;
  /** How many bytes all of it has. */
  bytes: number;
  source?: Source | undefined;
  label: string;
}

/** A text: as JSON where it is some, line below line where it has lines, else as words. */
export function TextPart({ text, bytes, source, label }: Props) {
  const here = useMemo(() => new TextEncoder().encode(text).length, [text]);
  const isCut = here < bytes;
  const isLong = isCut || text.length > LONGEST;
  const isJson = useMemo(() => !isLong && /^\s*[{[]/.test(text) && wholeOf(text) !== undefined, [text, isLong]);
  if (isLong && source) return <LongText pieceAt={pieceOf(source)} bytes={bytes} beginning={text} />;
  if (isJson) return <JsonViews json={text} label={label} />;
  const hasLines = text.trimEnd().includes("\n") || text.includes("\u001b");
  return (
    <>
      <div className={css.sheet}>
        <RichText text={text} limit={BRIEF}>
          {hasLines ? <Lines text={text.trimEnd()} /> : undefined}
        </RichText>
      </div>
      {isCut && <p className={css.news}>{t.result.beginning(here, bytes)}</p>}
    </>
  );
}
