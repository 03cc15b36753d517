import { useState } from "react";

import { Field as Shell } from "../components/Field";
import { ServerText, ServerWord } from "../components/ServerText";
import { oneLine } from "../format/text";
import { t } from "../strings";
import type { Field, FieldError, FormSpec } from "../types";
import { BooleanControl, JsonControl, MultiSelectControl, NumberControl, SelectControl, TextControl, type ControlProps } from "./controls";
import css from "./forms.module.css";
import { hints, labelOf } from "./hints";
import { SecretControl } from "./SecretControl";
import { isSecret } from "./secrets";
import { stateOf, waysOf } from "./states";
import { withField, type FormValue } from "./value";

interface Props {
  spec: FormSpec;
  value: FormValue;
  onChange: (value: FormValue) => void;
  /** What does not fit. Those of no field of this form are not shown here. */
  errors: readonly FieldError[];
  /** What is said at a field that asks for a secret. */
  secretMeans: string;
}

/** The fields of a form. Everything a server wrote is shown as text. */
export function FormView({ spec, value, onChange, errors, secretMeans }: Props) {
  if (spec.fields.length === 0) return <p className={css.quiet}>{t.forms.noFields}</p>;
  return (
    <div className={css.fields}>
      {spec.fields.map((field, index) => (
        // Names are the server's and may hold anything: places are told apart by number.
        <div key={field.name} data-field={index}>
          <FieldView
            field={field}
            notes={spec.notes.filter((note) => note.field === field.name).map((note) => note.message)}
            entry={value.get(field.name)}
            onChange={(entry) => onChange(withField(value, field.name, entry))}
            secretMeans={secretMeans}
            errors={errors.filter((error) => error.field === field.name).map((error) => worded(error, field))}
          />
        </div>
      ))}
    </div>
  );
}

/** A misfit deep inside a JSON field says where. */
function worded(error: FieldError, field: Field): string {
  const inside = error.path.slice(error.path.indexOf("/", 1) + 1);
  const deep = field.kind.type === "json" && error.path.indexOf("/", 1) > 0;
  return oneLine(deep ? `${inside}: ${error.message}` : error.message);
}

interface FieldViewProps extends Pick<ControlProps, "field" | "entry" | "onChange">, Pick<Props, "secretMeans"> {
  notes: readonly string[];
  errors: readonly string[];
}

function FieldView({ field, notes, entry, onChange, errors, secretMeans }: FieldViewProps) {
  const { kind } = field;
  const [shown, setShown] = useState(false);
  // Many servers write the limits into the description, too.
  const described = field.description?.toLowerCase() ?? "";
  const limits = hints(field).filter((hint) => !described.includes(hint.toLowerCase()));
  const said = [...limits, ...notes].map(oneLine).join(" · ");
  const ways = waysOf(field, entry);
  const hint = (field.description !== undefined || said !== "" || isSecret(field)) && (
    <>
      {isSecret(field) && <p className={css.wary}>{secretMeans}</p>}
      {field.description !== undefined && <ServerText text={field.description} limit={400} />}
      {said !== "" && (
        <div className={css.limits}>
          <bdi dir="auto">{said}</bdi>
        </div>
      )}
    </>
  );
  return (
    <Shell
      label={<ServerWord text={labelOf(field)} />}
      {...(hint ? { hint } : {})}
      optional={field.required ? undefined : t.forms.optional}
      group={kind.type === "boolean" || kind.type === "multiSelect"}
      errors={errors}
      state={stateOf(field, entry, isSecret(field) && !shown)}
      ways={
        ways.length === 0
          ? undefined
          : (label) =>
              ways.map((way) => (
                <button key={way.words} type="button" className={css.way} aria-describedby={label} onClick={() => onChange(way.to)}>
                  {way.words}
                </button>
              ))
      }
    >
      {(control) => {
        const props = { field, entry, onChange, control };
        if (isSecret(field)) return <SecretControl {...props} kind={kind} shown={shown} onShow={setShown} />;
        switch (kind.type) {
          case "text":
            return <TextControl {...props} kind={kind} />;
          case "integer":
          case "number":
            return <NumberControl {...props} kind={kind} />;
          case "boolean":
            return <BooleanControl {...props} kind={kind} />;
          case "select":
            return <SelectControl {...props} kind={kind} />;
          case "multiSelect":
            return <MultiSelectControl {...props} kind={kind} />;
          case "json":
            return <JsonControl {...props} kind={kind} />;
        }
      }}
    </Shell>
  );
}
