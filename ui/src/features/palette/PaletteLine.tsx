import { signalOfTask, type Signal } from "../../components/lamp";
import { ServerLamp, useServerSignal } from "../../components/ServerLamp";
import { ServerWord } from "../../components/ServerText";
import { StatusLamp } from "../../components/StatusLamp";
import { Ago, Left } from "../../components/Time";
import { oneLine } from "../../format/text";
import { NEAR_MS } from "../../format/time";
import { NEEDS_YOU, t } from "../../strings";
import type { PaletteEntry, ServerView } from "../../types";
import { ActionKeys } from "./ActionKeys";
import { actionOf } from "./own";
import css from "./Palette.module.css";

interface Props {
  entry: PaletteEntry;
  /** The server that it is, or that offers the tool. */
  server: ServerView | undefined;
  /** Whether it says what it is: where its group does not. */
  kind: boolean;
  /** Whether Enter goes there. */
  isInHand: boolean;
}

/** What is shown of an entry. */
export function PaletteLine({ entry, server, kind, isInHand }: Props) {
  const { item, words, matched, about, endedAt, expiresAt } = entry;
  const signal = signalOf(entry);
  const action = item.kind === "own" ? actionOf(item.id) : undefined;
  return (
    <>
      <span className={css.lamp}>
        {signal && <StatusLamp lamp={signal.lamp} word={signal.word} />}
        {server && <LampOf server={server} />}
      </span>
      <span className={css.words}>
        <Matched text={words} matched={matched} />
        {about !== undefined && (
          <span className={css.about}>
            {" "}
            <ServerWord text={about} />
          </span>
        )}
      </span>
      {kind && item.kind !== "own" && <span className={css.of}>{t.palette.kinds[item.kind]}</span>}
      {entry.server !== undefined && (
        <span className={css.of}>
          <ServerWord text={entry.server} />
        </span>
      )}
      {endedAt !== undefined && (
        <span className={css.of}>
          <Ago at={endedAt} />
        </span>
      )}
      {expiresAt !== undefined && (
        <span className={css.of}>
          <Left at={expiresAt} warnMs={NEAR_MS} className={css.near} rough /> {t.palette.left}
        </span>
      )}
      {action !== undefined && <ActionKeys id={action} />}
      {isInHand && (
        <span aria-hidden="true">
          <ActionKeys id="list.open" />
        </span>
      )}
    </>
  );
}

function LampOf({ server }: { server: ServerView }) {
  return <ServerLamp signal={useServerSignal(server)} spoken />;
}

/** How it ended, or that somebody is waited for. Of all else nothing is known here that would still be true in a moment. */
function signalOf({ outcome, waits }: PaletteEntry): Signal | undefined {
  if (outcome !== undefined) return signalOfTask({ status: "completed", tracking: "done", group: "ended", outcome });
  return waits ? { lamp: "needs_you", word: NEEDS_YOU } : undefined;
}

/** A text with the letters that were looked for. One that has to be spelled out is spelled out whole: no mark takes it apart. */
function Matched({ text, matched }: { text: string; matched: readonly number[] }) {
  if (matched.length === 0 || oneLine(text) !== text) return <ServerWord text={text} />;
  const places = new Set(matched);
  const runs: { text: string; isMatched: boolean }[] = [];
  // The desk counts code points.
  Array.from(text).forEach((letter, at) => {
    const isMatched = places.has(at);
    const last = runs.at(-1);
    if (last?.isMatched === isMatched) last.text += letter;
    else runs.push({ text: letter, isMatched });
  });
  return (
    <bdi dir="auto" translate="no">
      {runs.map((run, at) => (run.isMatched ? <mark key={at}>{run.text}</mark> : run.text))}
    </bdi>
  );
}
