import { Button } from "../../components/Button";
import { Facts } from "../../components/Section";
import { ServerText, ServerWord } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { bytes } from "../../format/size";
import { useState } from "react";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { ContentPart, ServerId } from "../../types";
import { Part } from "./Part";
import css from "./Result.module.css";

type Link = Extract<ContentPart, { kind: "link" }>;

/** A resource that the server offers. Nothing is asked of the server before a person wants it. */
export function LinkPart({ link, server }: { link: Link; server: ServerId }) {
  const act = useAct();
  const [read, setRead] = useState<{ contents: ContentPart[]; more: number }>();
  const ask = async () => {
    const reply = await act.run({ type: "read_resource", server, uri: link.uri });
    if (reply) setRead(reply);
  };
  return (
    <div className={css.part}>
      <Facts
        facts={[
          [t.result.linkName, link.name !== undefined && <ServerWord text={link.name} />],
          [t.result.linkUri, <ServerText key="uri" text={link.uri} limit={400} />],
          [t.result.linkSays, link.mimeType !== undefined && <ServerWord text={link.mimeType} />],
          [t.result.linkSize, link.size !== undefined && bytes(link.size)],
        ]}
      />
      {link.description !== undefined && <ServerText text={link.description} limit={600} />}
      <div>
        <Button disabled={act.busy} onClick={() => void ask()}>
          {read ? t.result.readAgain : t.result.read}
        </Button>
      </div>
      {act.error && <ErrorNote error={act.error} />}
      {read && (
        <>
          <p className={css.news} role="status">
            {read.contents.length === 0 ? t.result.readNothing : t.result.readNow}
          </p>
          {read.contents.map((part, index) => (
            <Part key={index} part={part} server={server} />
          ))}
          {read.more > 0 && <p className={css.news}>{t.result.moreContents(read.more)}</p>}
        </>
      )}
    </div>
  );
}
