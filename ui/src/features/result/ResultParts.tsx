import { ServerText } from "../../components/ServerText";
import { t, WHY } from "../../strings";
import type { CallId, Json, ResultView, ServerId, Verdict } from "../../types";
import { JsonViews, LongJson } from "./JsonViews";
import { Part } from "./Part";
import { PartBar } from "./PartBar";
import css from "./Result.module.css";

interface Props {
  call: CallId;
  server: ServerId;
  result: ResultView;
  /** All of it as received, where that is short. */
  json?: Json | undefined;
}

/** What a tool returned: each part as what it is, and how it compares with what the tool promises. */
export function ResultParts({ call, server, result, json }: Props) {
  const { content, contentMore, structuredBytes } = result;
  const isEmpty = content.length === 0 && structuredBytes === undefined;
  return (
    <>
      {isEmpty && <p className={css.news}>{t.result.none}</p>}
      {content.map((part, index) => (
        <Part key={index} part={part} server={server} source={{ call, part: { content: index } }} />
      ))}
      {contentMore > 0 && <p className={css.news}>{t.result.moreParts(contentMore)}</p>}
      {structuredBytes !== undefined && <Structured call={call} result={result} bytes={structuredBytes} />}
      {result.output && <Compared output={result.output} />}
      {(content.length > 1 || (content.length > 0 && structuredBytes !== undefined)) && <Whole call={call} json={json} />}
    </>
  );
}

/** The structured content, unless a part says the same. */
function Structured({ call, result, bytes }: { call: CallId; result: ResultView; bytes: number }) {
  const label = t.result.structured;
  if (result.content.some((part) => part.kind === "text" && part.same)) return <p className={css.news}>{t.result.structuredSame}</p>;
  const source = { call, part: "structured" as const };
  return (
    <div className={css.part}>
      <h3 className={css.head}>{label}</h3>
      {result.structured === undefined ? <LongJson source={source} bytes={bytes} label={label} /> : <JsonViews json={result.structured} label={label} />}
      <PartBar source={source} text={result.structured} bytes={bytes} />
    </div>
  );
}

/** How a result compares with what its tool promises. */
function Compared({ output }: { output: Verdict }) {
  if (output.type === "valid") return <p className={css.news}>{t.result.fits}</p>;
  return (
    <div className={css.misfit}>
      <strong>{output.type === "invalid" ? t.result.differs : t.result.unchecked}</strong>
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

/** What can be done with all of it. */
function Whole({ call, json }: { call: CallId; json: Json | undefined }) {
  return (
    <div className={css.part}>
      <h3 className={css.head}>{t.result.allActions}</h3>
      <PartBar source={{ call, part: "all" }} text={json} />
    </div>
  );
}
