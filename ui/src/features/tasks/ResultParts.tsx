import { JsonBlock } from "../../components/JsonBlock";
import { ServerText, ServerWord } from "../../components/ServerText";
import { t } from "../../strings";
import type { ContentPart, ResultView } from "../../types";
import css from "./TaskDetail.module.css";

/** A tool's result: text as text, everything else as JSON. */
export function ResultParts({ result }: { result: ResultView }) {
  const empty = result.content.length === 0 && result.structured === undefined;
  return (
    <>
      {empty && <p className={css.news}>{t.tasks.noResult}</p>}
      {result.content.map((part, index) => (
        <Part key={index} part={part} />
      ))}
      {result.structured !== undefined && (
        <>
          <h3 className={css.part}>{t.tasks.structured}</h3>
          <JsonBlock json={result.structured} label={t.tasks.structured} />
        </>
      )}
    </>
  );
}

function Part({ part }: { part: ContentPart }) {
  if (part.kind === "text") {
    return (
      <div className={css.sheet}>
        <ServerText text={part.text} limit={4_000} />
      </div>
    );
  }
  return (
    <>
      <h3 className={css.part}>
        {t.tasks.part} <ServerWord text={part.type} />
      </h3>
      {part.json === undefined ? (
        <p className={css.news}>{t.tasks.partTooLarge}</p>
      ) : (
        <JsonBlock json={part.json} label={part.type} />
      )}
    </>
  );
}
