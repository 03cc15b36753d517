import { JsonBlock } from "../../components/JsonBlock";
import { RichText } from "../../components/RichText";
import { ServerText, ServerWord } from "../../components/ServerText";
import { brief } from "../../format/text";
import { t, WHY } from "../../strings";
import type { ContentPart, ResultView, Verdict } from "../../types";
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
      {result.output && <Misfit output={result.output} />}
    </>
  );
}

/** What is wrong with a result that is not what its tool promises, or that cannot be compared with it. */
function Misfit({ output }: { output: Verdict }) {
  if (output.type === "valid") return null;
  return (
    <div className={css.note}>
      <strong>{output.type === "invalid" ? t.tasks.outputDiffers : t.tasks.outputUnchecked}</strong>
      {output.type === "invalid" ? (
        output.errors.map((error) => (
          <ServerText key={error.path} text={error.path === "" ? error.message : `${error.path}: ${error.message}`} limit={300} />
        ))
      ) : (
        <p className={css.news}>{WHY[output.why]}.</p>
      )}
    </div>
  );
}

function Part({ part }: { part: ContentPart }) {
  if (part.kind === "text") {
    return (
      <div className={`${css.sheet} ${part.text.trimEnd().includes("\n") ? css.lines : ""}`}>
        <RichText text={part.text} limit={4_000} />
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
        <JsonBlock json={part.json} label={brief(part.type, 80)} />
      )}
    </>
  );
}
