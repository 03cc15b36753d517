import { ServerWord } from "../../components/ServerText";
import { brief } from "../../format/text";
import { t } from "../../strings";
import type { ContentPart, ServerId } from "../../types";
import { BlobPart } from "./BlobPart";
import { JsonViews, LongJson } from "./JsonViews";
import { LinkPart } from "./LinkPart";
import { PartBar } from "./PartBar";
import css from "./Result.module.css";
import type { Source } from "./source";
import { TextPart } from "./TextPart";

interface Props {
  part: ContentPart;
  /** The server that sent it: it is asked for what it links to. */
  server: ServerId;
  /** Where it is kept. */
  source?: Source;
}

/** One part of a result. */
export function Part({ part, server, source }: Props) {
  switch (part.kind) {
    case "text":
      return (
        <div className={css.part}>
          <TextPart text={part.text} bytes={part.bytes} source={source} label={t.result.text} />
          <PartBar source={source} text={part.text} bytes={part.bytes} opens={t.result.formats.text} />
        </div>
      );
    case "blob":
      return (
        <div className={css.part}>
          <BlobPart blob={part.blob} source={source} />
          {part.blob.unshown !== "illegible" && <PartBar source={source} opens={opens(part.blob.format)} />}
        </div>
      );
    case "resource":
      return (
        <div className={css.part}>
          <h3 className={css.head}>
            {t.result.resource} <ServerWord text={part.uri} />
          </h3>
          {part.text !== undefined && <TextPart text={part.text} bytes={part.bytes} source={source} label={brief(part.uri, 80)} />}
          {part.blob && <BlobPart blob={part.blob} source={source} />}
          {part.text !== undefined ? (
            <PartBar source={source} text={part.text} bytes={part.bytes} opens={t.result.formats.text} />
          ) : (
            <PartBar source={source} opens={part.blob && opens(part.blob.format)} />
          )}
        </div>
      );
    case "link":
      return (
        <div className={css.part}>
          <h3 className={css.head}>{t.result.link}</h3>
          <LinkPart link={part} server={server} />
        </div>
      );
    case "other":
      return (
        <div className={css.part}>
          <h3 className={css.head}>
            {t.result.partOf} <ServerWord text={part.type} />
          </h3>
          {part.json !== undefined && <JsonViews json={part.json} label={brief(part.type, 80)} />}
          {part.json === undefined && source && <LongJson source={source} bytes={part.bytes} label={brief(part.type, 80)} />}
          <PartBar source={source} text={part.json} bytes={part.bytes} />
        </div>
      );
  }
}

/** What other programs open, by its name. */
function opens(format: keyof typeof t.result.formats): string | undefined {
  return format === "svg" || format === "zip" || format === "unknown" ? undefined : t.result.formats[format];
}
