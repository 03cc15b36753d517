import { useEffect, useState } from "react";

import { Button } from "../../components/Button";
import { Facts } from "../../components/Section";
import { ServerWord } from "../../components/ServerText";
import { ErrorNote, LoadingState } from "../../components/States";
import { bytes as size } from "../../format/size";
import { useReply } from "../../store/useReply";
import { t } from "../../strings";
import type { BlobView, FileFormat } from "../../types";
import css from "./Result.module.css";
import { partNumber, type Source } from "./source";

/** A larger one is shown when a person asks for it, in bytes. */
const AT_ONCE = 2 * 1024 * 1024;

/** So long the system may take to begin with a sound. */
const PATIENCE_MS = 5_000;

/** The media types of what is shown, by what the bytes are: what a server calls them decides nothing. */
const MEDIA: Partial<Record<FileFormat, string>> = {
  png: "image/png",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  wav: "audio/wav",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  flac: "audio/flac",
};

/** A picture or a sound, or why it is neither drawn nor played. */
export function BlobPart({ blob, source }: { blob: BlobView; source?: Source | undefined }) {
  const { format, unshown, mimeType } = blob;
  const media = MEDIA[format];
  // What plays is given to many programs' code: that takes a press.
  const isSound = media?.startsWith("audio/") === true;
  const [wanted, setWanted] = useState(!isSound && blob.bytes <= AT_ONCE);
  const words = whatIs(blob);
  return (
    <div className={css.part}>
      <Facts
        facts={[
          [t.result.formats[format], unshown === "illegible" ? undefined : words],
          [t.result.claims, mimeType !== undefined && mimeType !== media && <ServerWord text={mimeType} />],
        ]}
      />
      {unshown !== undefined || media === undefined ? (
        <p className={css.news}>
          {why(format, unshown)}
          {unshown === undefined || unshown === "format" ? <Ways source={source} opens={format === "pdf" || format === "text"} /> : null}
        </p>
      ) : blob.base64 === undefined && source === undefined ? (
        // It was read from its server just now, and nobody can ask for its bytes.
        <p className={css.news}>{t.result.unkept}</p>
      ) : !wanted ? (
        <div>
          <Button onClick={() => setWanted(true)}>{isSound ? t.result.play : t.result.show}</Button>
        </div>
      ) : blob.base64 !== undefined ? (
        <Shown media={media} base64={blob.base64} words={words} source={source} />
      ) : (
        source && <Kept source={source} media={media} words={words} />
      )}
    </div>
  );
}

function Kept({ source, media, words }: { source: Source; media: string; words: string }) {
  const { reply, error } = useReply({ type: "result_blob", call: source.call, part: partNumber(source).part ?? 0 });
  if (error) return <ErrorNote error={error} />;
  return reply ? <Shown media={media} base64={reply.base64} words={words} source={source} /> : <LoadingState />;
}

/** What else can be done with it: nothing with what is kept nowhere. */
function Ways({ source, opens }: { source: Source | undefined; opens: boolean }) {
  return source && ` ${opens ? t.result.savesOrOpens : t.result.saves}`;
}

function Shown({ media, base64, words, source }: { media: string; base64: string; words: string; source: Source | undefined }) {
  const [fails, setFails] = useState(false);
  const url = `data:${media};base64,${base64}`;
  if (media.startsWith("audio/")) return <Sound url={url} words={words} source={source} />;
  if (fails) return <p className={css.news}>{t.result.broken}</p>;
  return <img className={css.picture} src={url} alt={t.result.picture(words)} onError={() => setFails(true)} />;
}

/** A sound, by the system's own element. Where that has no way to play it, it may say nothing of it: silence is an answer, too. */
function Sound({ url, words, source }: { url: string; words: string; source: Source | undefined }) {
  const [how, setHow] = useState<"asked" | "plays" | "fails">("asked");
  useEffect(() => {
    if (how !== "asked") return;
    const timer = setTimeout(() => setHow("fails"), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [how]);
  if (how === "fails") {
    return (
      <p className={css.news}>
        {t.result.mute}
        <Ways source={source} opens />
      </p>
    );
  }
  return (
    // Nobody can write words for a sound that a server just sent.
    // eslint-disable-next-line jsx-a11y/media-has-caption
    <audio className={css.sound} src={url} controls preload="auto" aria-label={t.result.sound(words)} onLoadedMetadata={() => setHow("plays")} onError={() => setHow("fails")} />
  );
}

function whatIs({ bytes, width, height }: BlobView): string {
  const pixels = width !== undefined && height !== undefined ? [t.result.pixels(width, height)] : [];
  return [...pixels, size(bytes)].join(", ");
}

function why(format: FileFormat, unshown: BlobView["unshown"]): string {
  if (unshown !== undefined && unshown !== "format") return t.result.unshown[unshown];
  return format === "svg" || format === "text" ? t.result.notShown[format] : t.result.notShown.other;
}
