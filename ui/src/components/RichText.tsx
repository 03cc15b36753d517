import { useMemo, useState, type ReactNode } from "react";

import { LONGEST, markdown, type Block } from "../format/markdown";
import type { Span } from "../format/spans";
import { visible } from "../format/text";
import { usePreference } from "../store/usePreference";
import { t } from "../strings";
import css from "./RichText.module.css";
import { ServerText } from "./ServerText";
import text from "./ServerText.module.css";

/** Whether texts with formatting show it at first, and how to change that. */
export function useFormatting(): ReturnType<typeof usePreference<boolean>> {
  return usePreference("formatting", readFormatting);
}

const readFormatting = (remembered: unknown) => remembered === true;

interface Props {
  text: string;
  /** How many characters are shown of it as it was sent, before a person asks for all. */
  limit?: number;
  /** It as it was sent, where that is shown in another way. */
  children?: ReactNode;
}

/** A text of a server that may have formatting in it. As it was sent it can always be seen. */
export function RichText(props: Props) {
  // First is said what does not show or poses, by the whole text: then no formatting takes it apart.
  const blocks = useMemo(() => (props.text.length > LONGEST ? undefined : markdown(visible(props.text))), [props.text]);
  return blocks ? <Switched {...props} blocks={blocks} /> : <AsSent {...props} />;
}

function Switched({ blocks, ...props }: Props & { blocks: readonly Block[] }) {
  const [wanted] = useFormatting();
  const [chosen, setChosen] = useState<boolean>();
  const formatted = chosen ?? wanted ?? false;
  return (
    <div>
      {formatted ? <div className={`${css.rich} ${text.text}`} data-text="">{blocks.map(drawn)}</div> : <AsSent {...props} />}
      <button type="button" className={text.more} onClick={() => setChosen(!formatted)}>
        {formatted ? t.app.asSent : t.app.formatted}
      </button>
    </div>
  );
}

function AsSent({ children, ...props }: Props) {
  return children ?? <ServerText {...props} />;
}

function drawn(block: Block, key: number): ReactNode {
  switch (block.kind) {
    case "paragraph":
    case "heading":
      return (
        <p key={key} className={css.words} dir="auto" translate="no">
          {block.kind === "heading" ? <strong>{block.of.map(span)}</strong> : block.of.map(span)}
        </p>
      );
    case "code":
      return (
        <figure key={key}>
          {block.language !== "" && <figcaption className={css.language}>{block.language}</figcaption>}
          <pre className={css.code}>{block.text}</pre>
        </figure>
      );
    case "quote":
      return (
        <blockquote key={key} className={css.quote}>
          {block.of.map(drawn)}
        </blockquote>
      );
    case "list":
      return (
        <ul key={key} className={css.list}>
          {block.items.map(({ mark, of }, index) => (
            <li key={index} className={css.item}>
              <span>{/\d/.test(mark) ? mark : "•"}</span>
              <div className={css.rich}>{of.map(drawn)}</div>
            </li>
          ))}
        </ul>
      );
  }
}

function span(part: Span, key: number): ReactNode {
  if (typeof part === "string") return part;
  switch (part.kind) {
    case "strong":
      return <strong key={key}>{part.of.map(span)}</strong>;
    case "emphasis":
      return <em key={key}>{part.of.map(span)}</em>;
    case "code":
      return <code key={key}>{part.text}</code>;
  }
}
