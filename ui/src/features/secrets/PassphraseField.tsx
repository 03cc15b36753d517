import type { Ref } from "react";

import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";

interface Props {
  name: string;
  label: string;
  kind: "current-password" | "new-password";
  input?: Ref<HTMLInputElement>;
  error?: string | undefined;
}

/** Takes a passphrase. Not controlled: it stays in its input and goes from there to the desk, never through our state. */
export function PassphraseField({ name, label, kind, input, error }: Props) {
  return (
    <Field label={label} errors={error === undefined ? [] : [error]}>
      {(control) => (
        <input {...control} ref={input} className={field.input} type="password" name={name} autoComplete={kind} spellCheck={false} />
      )}
    </Field>
  );
}

/** What was typed into the field `name` of a form. */
export function passphraseIn(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}
