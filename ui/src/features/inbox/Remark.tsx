import { useRef, type ComponentPropsWithRef } from "react";

import { useAction } from "../../actions/registry";
import { ActionHint } from "../../components/Button";
import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { t } from "../../strings";
import type { RequestId } from "../../types";
import css from "./inbox.module.css";
import { useNoting, type Noting } from "./remarks";

/** The desk takes no longer one. */
const LONGEST = 2_000;

/** A note of the person's own beside an answer that is looked at, folded until they want one. */
export function Remark({ request }: { request: RequestId }) {
  const noting = useNoting(request);
  if (noting.remark === undefined) {
    return (
      <p>
        <Add noting={noting} />
      </p>
    );
  }
  return (
    <Field label={t.inbox.remark.label} hint={t.inbox.remark.means}>
      {(control) => <Line {...control} noting={noting} />}
    </Field>
  );
}

/** The same below a question, for whatever is decided about it: folded at the end of the sheet. */
export function AddRemark({ noting }: { noting: Noting }) {
  const folded = noting.remark === undefined;
  useAction("request.note", noting.unfold, folded);
  if (!folded) return null;
  return (
    <p>
      <Add noting={noting} />{" "}
      <span aria-hidden="true">
        <ActionHint action="request.note" />
      </span>
    </p>
  );
}

/** And in sight above the buttons once it is there: it goes with any of them. */
export function RemarkLine({ noting }: { noting: Noting }) {
  const line = useRef<HTMLLabelElement>(null);
  const folded = noting.remark === undefined;
  useAction("request.note", () => line.current?.querySelector("input")?.focus(), !folded);
  if (folded) return null;
  return (
    <label ref={line} className={css.noted}>
      {t.inbox.remark.label}
      <Line noting={noting} placeholder={t.inbox.remark.unsent} title={t.inbox.remark.means} />
    </label>
  );
}

function Add({ noting }: { noting: Noting }) {
  return (
    <button type="button" className={css.link} onClick={noting.unfold}>
      {t.inbox.remark.add}
    </button>
  );
}

function Line({ noting, ...rest }: ComponentPropsWithRef<"input"> & { noting: Noting }) {
  return (
    <input
      {...rest}
      ref={noting.unfolded ? focus : undefined}
      className={field.input}
      type="text"
      autoComplete="off"
      dir="auto"
      maxLength={LONGEST}
      value={noting.remark}
      onChange={({ target }) => noting.edit(target.value)}
    />
  );
}

function focus(input: HTMLInputElement | null): void {
  input?.focus();
}
