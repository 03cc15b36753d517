import { useState } from "react";

import { Field as Shell } from "../components/Field";
import field from "../components/Field.module.css";
import { pretty } from "../format/json";
import { brief } from "../format/text";
import { t } from "../strings";
import type { FieldError, FormSpec, Why } from "../types";
import css from "./forms.module.css";
import { scan } from "./json";
import { replacedAt, secretsIn } from "./secrets";

interface Props {
  spec: FormSpec;
  json: string;
  onChange: (json: string) => void;
  /** The labels of fields whose text is no value, and so is not in it. */
  missing: readonly string[];
  /** What the desk says of this text; undefined while that is not known. */
  verdict: readonly FieldError[] | undefined;
  /** Where the desk found secrets in it: all that is known of them where there are no fields. */
  secrets: readonly string[];
  /** What is said where it has secrets, or is to have some. */
  secretMeans: string;
}

/** Of so many misfits is said where they are and why. */
const SAID = 5;

/** Schemas of which nothing is checked. */
const UNREAD: ReadonlySet<Why> = new Set(["unreadable", "tooLarge", "tooDeep", "tooMany", "tooComplex", "unknownDialect", "invalid"]);

/** The very text that is sent, to be edited, and whether it fits the schema. */
export function JsonView({ spec, json, onChange, missing, verdict, secrets: found, secretMeans }: Props) {
  const secrets = [...new Set([...secretsIn(spec, json), ...found])];
  // Who types a secret here sees it; one that was typed before is not shown unasked.
  const [shown, setShown] = useState(false);
  // Where in text that is no JSON they are nobody can tell.
  const anywhere = spec.secret === true && json.trim() !== "" && !scan(json).ok;
  const hidden = !shown && (anywhere || secrets.length > 0);
  const masked = () => (anywhere ? t.forms.secret.dots : pretty(replacedAt(json, (path) => (secrets.includes(path) ? t.forms.secret.dots : undefined))));
  return (
    <Shell
      label={t.forms.content}
      {...((spec.secret === true || secrets.length > 0) && { hint: <p className={css.wary}>{secretMeans}</p> })}
      invalid={verdict !== undefined && verdict.length > 0}
      status={<Fits spec={spec} json={json} missing={missing} verdict={verdict} />}
    >
      {(control) => (
        <>
          <textarea
            {...control}
            className={`${field.input} ${field.mono}`}
            rows={Math.min(24, Math.max(8, json.split("\n").length + 1))}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            readOnly={hidden}
            value={hidden ? masked() : json}
            onChange={(event) => {
              setShown(true);
              onChange(event.target.value);
            }}
          />
          {(anywhere || secrets.length > 0) && (
            <button type="button" className={css.way} onClick={() => setShown(!shown)}>
              {hidden ? t.forms.secret.showToEdit : t.forms.secret.hide}
            </button>
          )}
        </>
      )}
    </Shell>
  );
}

function Fits({ spec, json, missing, verdict }: Pick<Props, "spec" | "json" | "missing" | "verdict">) {
  const scanned = scan(json);
  const misfits = scanned.ok ? (verdict ?? []) : [];
  return (
    <div className={css.syntax} data-ok={scanned.ok && misfits.length === 0}>
      <span>{headline()}</span>
      {misfits.length > 0 && (
        <ul>
          {misfits.slice(0, SAID).map((error) => (
            <li key={error.path}>
              <bdi dir="auto">{brief(placed(error), 400)}</bdi>
            </li>
          ))}
        </ul>
      )}
      {missing.length > 0 && (
        <p>
          {t.forms.fit.missing} <bdi dir="auto">{brief(missing.join(", "), 400)}</bdi>
        </p>
      )}
      {misfits.length > SAID && <span>{t.forms.fit.more(misfits.length - SAID)}</span>}
    </div>
  );

  function headline(): string {
    if (!scanned.ok) return json.trim() === "" ? t.forms.fit.empty : t.forms.notJsonAt(scanned.fault.line, scanned.fault.column);
    if (verdict === undefined) return t.forms.isJson;
    if (verdict.length > 0) return t.forms.fit.misfits(verdict.length);
    const unread = spec.fallback !== undefined && UNREAD.has(spec.fallback.why);
    return unread ? t.forms.fit.unread : spec.notes.length > 0 ? t.forms.fit.partly : t.forms.fit.fits;
  }
}

function placed({ path, message }: FieldError): string {
  return path === "" ? message : `${path}: ${message}`;
}
