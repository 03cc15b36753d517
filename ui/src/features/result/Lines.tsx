import { useLayoutEffect, useMemo, useRef } from "react";

import { visible, withoutGaps } from "../../format/text";
import { t } from "../../strings";
import { runsOf, type Look, type Run } from "./ansi";
import { blocksOf } from "./blocks";
import { layOut } from "./layOut";
import css from "./Result.module.css";

interface Props {
  text: string;
  /** Whether it is shown from its end. */
  atEnd?: boolean;
}

/** Text of a program, line below line, in the colours that it wrote for a terminal. */
export function Lines({ text, atEnd = false }: Props) {
  const box = useRef<HTMLPreElement>(null);
  const { runs, isPlain } = useMemo(() => shown(text), [text]);
  const blocks = useMemo(() => blocksOf(runs), [runs]);
  useLayoutEffect(() => (box.current ? layOut(box.current, atEnd) : undefined), [blocks, atEnd]);
  return (
    <>
      {/* A scrolling region must be reachable by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre ref={box} className={css.lines} tabIndex={0} data-text="" role="group" aria-label={t.result.lines}>
        <bdi dir="auto" translate="no" className={css.line}>
          {blocks.map((block, index) => (
            <span key={index} className={css.block}>
              {block.map((run, index) => (
                <Coloured key={index} run={run} />
              ))}
            </span>
          ))}
        </bdi>
      </pre>
      {isPlain && text.includes("\u001b[") && <p className={css.news}>{t.result.uncoloured}</p>}
    </>
  );
}

/**
 * A text in its runs, with nothing hidden in it; as one text without looks where a run by itself would hide what the whole shows, such
 * as a letter that passes for another within a word of two colours.
 */
function shown(text: string): { runs: Run[]; isPlain: boolean } {
  const runs = runsOf(text);
  const seen = runs.map((run) => ({ ...run, text: visible(run.text) }));
  const whole = withoutGaps(visible(runs.map((run) => run.text).join("")));
  const isPlain = seen.map((run) => run.text).join("") !== whole;
  return { runs: isPlain ? [{ text: whole, look: {} }] : seen, isPlain };
}

function Coloured({ run }: { run: Run }) {
  const name = classOf(run.look);
  return name === undefined ? run.text : <span className={name}>{run.text}</span>;
}

function classOf({ colour, bold, faint, italic, underline, struck }: Look): string | undefined {
  const names = [colour ?? (faint && "faint"), bold && "bold", italic && "italic", underline && "underline", struck && "struck"];
  return names.map((name) => name && css[name]).filter(Boolean).join(" ") || undefined;
}
