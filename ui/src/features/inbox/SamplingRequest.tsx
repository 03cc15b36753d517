import { JsonBlock } from "../../components/JsonBlock";
import { RichText } from "../../components/RichText";
import { Facts, Section } from "../../components/Section";
import { ServerWord } from "../../components/ServerText";
import { bytes } from "../../format/size";
import { oneLine } from "../../format/text";
import { t } from "../../strings";
import type { SamplingPart, SamplingView } from "../../types";
import css from "./inbox.module.css";

const words = t.inbox.sampling;

/** The whole of what a model is asked: the conversation, the limits, the wishes. Nothing of it is fetched or played. */
export function SamplingRequest({ sampling }: { sampling: SamplingView }) {
  return (
    <Section title={words.title}>
      <p className={css.quiet}>{words.byHand}</p>
      <div className={css.conversation}>
        {sampling.systemPrompt !== undefined && (
          <div className={css.said}>
            <div className={css.quoteHead}>{words.system}</div>
            <RichText text={sampling.systemPrompt} />
          </div>
        )}
        {sampling.messages.map((message, index) => (
          <div key={index} className={css.said}>
            <div className={css.quoteHead}>{message.role === "" ? words.noRole : <ServerWord text={message.role} />}</div>
            {message.parts.map((part, place) => (
              <Part key={place} part={part} />
            ))}
          </div>
        ))}
      </div>
      {sampling.cut && <p className={css.again}>{words.cut}</p>}
      <Wishes sampling={sampling} />
    </Section>
  );
}

function Part({ part }: { part: SamplingPart }) {
  switch (part.kind) {
    case "text":
      return <RichText text={part.text} />;
    case "media":
      return (
        <p className={css.quiet}>
          <bdi>{oneLine(words.media(part.type, part.mimeType ?? "", part.bytes === undefined ? "" : bytes(part.bytes)))}</bdi>.{" "}
          {words.mediaHidden}
        </p>
      );
    case "other":
      return <JsonBlock json={part.json} label={words.title} limit={2_000} />;
  }
}

/** What the server would want of a model. It binds nobody who answers by hand. */
function Wishes({ sampling }: { sampling: SamplingView }) {
  const { maxTokens, temperature, costPriority, speedPriority, intelligencePriority, includeContext: context } = sampling;
  const limits = [maxTokens && words.maxTokens(maxTokens), temperature && words.temperature(temperature)];
  const matters = [
    costPriority && words.cost(costPriority),
    speedPriority && words.speed(speedPriority),
    intelligencePriority && words.intelligence(intelligencePriority),
  ];
  const asked = context === undefined || context === "none" ? undefined : words.contextNever(context);
  return (
    <Facts
      facts={[
        [words.limits, line(limits, " · ")],
        [words.stops, line(sampling.stopSequences.map((text) => JSON.stringify(text)))],
        [words.models, line(sampling.modelHints)],
        [words.wishes, line(matters, " · ")],
        [words.context, asked && <ServerWord key="context" text={asked} />],
        [words.tools, line(sampling.tools)],
      ]}
    />
  );
}

function line(parts: readonly (string | undefined)[], between = ", ") {
  const said = parts.filter(Boolean).join(between);
  return said === "" ? undefined : <ServerWord text={said} />;
}
