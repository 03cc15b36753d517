import { useState } from "react";

import { CopyButton } from "../../components/CopyButton";
import { ClockTime } from "../../components/Time";
import text from "../../components/ServerText.module.css";
import { cut, ending, visible } from "../../format/text";
import { t } from "../../strings";
import type { RequestDetail, UrlView } from "../../types";
import { AskedAgain } from "./AskedAgain";
import css from "./inbox.module.css";
import { PageFacts } from "./PageFacts";
import { Sentence } from "./Sentence";

/** A page to visit: its whole address, what to be wary of, and what is known of the visit. Nothing here opens it. */
export function PagePanel({ detail, opening }: { detail: RequestDetail; opening: boolean }) {
  const { url } = detail;
  if (!url) return <p className={css.again}>{t.inbox.url.unreadable}</p>;
  return (
    <section className={css.page} aria-label={t.inbox.url.title}>
      <div className={css.quoteHead}>{t.inbox.url.title}</div>
      <Address url={url} />
      <PageFacts url={url} />
      <AskedAgain askedBefore={detail.askedBefore} />
      <div>
        <CopyButton look="plain" text={url.full} label={t.inbox.url.copyAddress} />
      </div>
      <p className={css.quiet} role="status">
        {opening ? t.inbox.url.opening : <Visit detail={detail} />}
      </p>
    </section>
  );
}

/** How many characters are shown of what stands before the host and behind it, before a person asks for all. */
const LONG = 600;

/** An address with its host emphasised. Text, never a link; of a very long one the beginning, and its host in any case. */
export function Address({ url: { before, host, after } }: { url: UrlView }) {
  const [all, setAll] = useState(false);
  const length = before.length + host.length + after.length;
  const part = (of: string) => visible(all || of.length <= LONG ? of : `${cut(of, LONG)}…`);
  return (
    <div className={css.url}>
      <bdi dir="ltr" translate="no">
        {part(before)}
        <strong className={css.host}>{visible(all ? host : ending(host, LONG))}</strong>
        {part(after)}
      </bdi>
      {[before, host, after].some((of) => of.length > LONG) && (
        <button type="button" className={text.more} onClick={() => setAll(!all)}>
          {all ? t.app.showLess : t.app.showAll(length)}
        </button>
      )}
    </div>
  );
}

/** What opening means before it, and what is known after it. */
function Visit({ detail: { row, round, ways, url } }: { detail: RequestDetail }) {
  const words = t.inbox.url;
  const { visitedAt, visitingAt, answer } = row;
  if (visitedAt !== undefined || visitingAt !== undefined) {
    const untold = ways.accept === "page" && answer?.sentAt === undefined && answer?.action !== "accept";
    return (
      <>
        {visitedAt !== undefined && <Sentence text={words.opened} part={<ClockTime at={visitedAt} />} />}{" "}
        {visitingAt !== undefined && <Sentence text={words.mayBeOpen} part={<ClockTime at={visitingAt} />} />}{" "}
        {visitingAt !== undefined && untold && words.untold}
      </>
    );
  }
  if (answer?.action === "accept") return words.acceptedElsewhere;
  if (url?.web === false) return words.unopenable;
  if (ways.accept !== "page") return null;
  return round?.paged ? words.meansPaged : words.means;
}
