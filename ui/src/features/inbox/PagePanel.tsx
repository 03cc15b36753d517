import { CopyButton } from "../../components/CopyButton";
import { ClockTime } from "../../components/Time";
import { visible } from "../../format/text";
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

/** An address with its host emphasised. Text, never a link. */
export function Address({ url }: { url: UrlView }) {
  return (
    <div className={css.url}>
      <bdi dir="ltr" translate="no">
        {visible(url.before)}
        <strong className={css.host}>{visible(url.host)}</strong>
        {visible(url.after)}
      </bdi>
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
