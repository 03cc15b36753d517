import { useMemo, useState } from "react";

import { Button } from "../../components/Button";
import { JsonBlock } from "../../components/JsonBlock";
import { ErrorNote } from "../../components/States";
import { Tabs } from "../../components/Tabs";
import { t } from "../../strings";
import type { Json } from "../../types";
import { JsonTree } from "./JsonTree";
import { wholeOf } from "./level";
import { LongText } from "./LongText";
import css from "./Result.module.css";
import { pieceOf, type Source } from "./source";
import { tablesOf } from "./table";
import { Tables } from "./Tables";
import { LONGEST_WHOLE, useWholeText } from "./whole";

type Way = "tree" | "table" | "text";

/** JSON as a tree, as a table where it has one, or as text. What is one word is shown as that word. */
export function JsonViews({ json, label }: { json: Json; label: string }) {
  const [way, setWay] = useState<Way>("tree");
  const place = useMemo(() => wholeOf(json), [json]);
  const tables = useMemo(() => (place ? tablesOf(json, place) : []), [json, place]);
  if (place?.kind !== "object" && place?.kind !== "array") return <JsonBlock json={json} label={label} bare />;
  const tabs = (["tree", ...(tables.length > 0 ? (["table"] as const) : []), "text"] as const).map((value) => ({ value, label: t.result[value] }));
  return (
    <div className={css.part}>
      <div className={css.views}>
        <Tabs label={`${t.result.shownAs}: ${label}`} value={way} onChange={setWay} tabs={tabs} />
      </div>
      {way === "tree" && <JsonTree json={json} label={label} />}
      {way === "table" && <Tables json={json} tables={tables} label={label} />}
      {way === "text" && <JsonBlock json={json} label={label} bare />}
    </div>
  );
}

/** JSON that is too long to come with the others: it is asked for when a person wants it. */
export function LongJson({ source, bytes, label }: { source: Source; bytes: number; label: string }) {
  const { text: json, busy, error, load } = useWholeText(source);
  if (json !== undefined) return <JsonViews json={json} label={label} />;
  if (bytes > LONGEST_WHOLE) {
    return (
      <div className={css.part}>
        <p className={css.news}>{t.result.tooLarge(bytes)}</p>
        <LongText pieceAt={pieceOf(source)} bytes={bytes} />
      </div>
    );
  }
  return (
    <>
      <p className={css.news}>{t.result.large(bytes)}</p>
      <div>
        <Button disabled={busy} onClick={load}>
          {t.result.show}
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
    </>
  );
}
