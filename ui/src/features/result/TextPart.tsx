import { useMemo } from "react";

import { Button } from "../../components/Button";
import { RichText } from "../../components/RichText";
import { ErrorNote } from "../../components/States";
import { t } from "../../strings";
import { JsonViews } from "./JsonViews";
import { wholeOf } from "./level";
import { Lines } from "./Lines";
import { LongText } from "./LongText";
import css from "./Result.module.css";
import { pieceOf, type Source } from "./source";
import { LONGEST_WHOLE, useWholeText } from "./whole";

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
  const isJson = useMemo(() => !isCut && beginsAsJson(text) && wholeOf(text) !== undefined, [text, isCut]);
  if (isJson) return <JsonViews json={text} label={label} />;
  if (source && isCut && bytes <= LONGEST_WHOLE && beginsAsJson(text)) return <PerhapsJson text={text} bytes={bytes} source={source} label={label} />;
  if (source && (isCut || text.length > LONGEST)) return <LongText pieceAt={pieceOf(source)} bytes={bytes} beginning={text} />;
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

/** A long text that begins as JSON does: in pieces, and as JSON once a person wants all of it read for that. */
function PerhapsJson({ text, bytes, source, label }: Props & { source: Source }) {
  const { text: whole, busy, error, load } = useWholeText(source);
  const isJson = useMemo(() => whole !== undefined && wholeOf(whole) !== undefined, [whole]);
  if (whole !== undefined && isJson) return <JsonViews json={whole} label={label} />;
  return (
    <>
      {whole === undefined ? (
        <div>
          <Button disabled={busy} onClick={load}>
            {t.result.asTree}
          </Button>
        </div>
      ) : (
        <p className={css.news} role="status">
          {t.result.noJson}
        </p>
      )}
      {error && <ErrorNote error={error} />}
      <LongText pieceAt={pieceOf(source)} bytes={bytes} beginning={text} />
    </>
  );
}

function beginsAsJson(text: string): boolean {
  return /^\s*[{[]/.test(text);
}
