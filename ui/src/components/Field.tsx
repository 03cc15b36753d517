import { useId, type ReactNode } from "react";

import css from "./Field.module.css";

/** What a control inside a {@link Field} must carry. */
export interface FieldControl {
  id: string;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: true | undefined;
}

interface Props {
  /** Plain text or a `ServerWord`. */
  label: ReactNode;
  hint?: ReactNode;
  /** What does not fit, each a sentence. */
  errors?: readonly string[];
  /** Says after the label that the value may be left out. */
  optional?: string | undefined;
  /** Several controls under one label, which then is a legend. */
  group?: boolean;
  /** What the value is where the control does not say it. */
  state?: string | undefined;
  /** What follows what is typed, said politely as it changes. */
  status?: ReactNode;
  /** Whether something does not fit that is said elsewhere than in `errors`. */
  invalid?: boolean;
  /** Buttons to another state; they get the id of the label that says of what. */
  ways?: ((label: string) => ReactNode) | undefined;
  children: (control: FieldControl) => ReactNode;
}

/** The shell of a field: label, hint, control, errors, tied together for screen readers. */
export function Field({ label, hint, errors = [], optional, group = false, state, status, invalid = false, ways, children }: Props) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, state !== undefined && `${id}-state`, status !== undefined && `${id}-status`, errors.length > 0 && `${id}-error`].filter(Boolean).join(" ");
  const control: FieldControl = {
    id,
    "aria-describedby": described || undefined,
    "aria-invalid": errors.length > 0 || invalid ? true : undefined,
  };
  const words = (
    <>
      {label}
      {optional !== undefined && " "}
      {optional !== undefined && <span className={css.optional}>{optional}</span>}
    </>
  );
  const inner = (
    <>
      {group ? (
        <legend id={`${id}-label`} className={css.label}>
          {words}
        </legend>
      ) : (
        <label id={`${id}-label`} htmlFor={id} className={css.label}>
          {words}
        </label>
      )}
      {hint !== undefined && (
        <div id={`${id}-hint`} className={css.hint}>
          {hint}
        </div>
      )}
      {children(control)}
      {(state !== undefined || ways !== undefined) && (
        <div className={css.state}>
          {state !== undefined && <span id={`${id}-state`} dir="auto">{state}</span>}
          {ways?.(`${id}-label`)}
        </div>
      )}
      {status !== undefined && (
        <div id={`${id}-status`} role="status">
          {status}
        </div>
      )}
      {errors.length > 0 && (
        <div id={`${id}-error`} className={css.error} role="alert">
          {errors.map((error) => (
            <div key={error} dir="auto">
              {error}
            </div>
          ))}
        </div>
      )}
    </>
  );
  return group ? (
    <fieldset className={css.field} aria-describedby={control["aria-describedby"]}>
      {inner}
    </fieldset>
  ) : (
    <div className={css.field}>{inner}</div>
  );
}
