import { useEffect, useImperativeHandle, useRef, useState } from "react";

import { check, contentOf, FormEditor, stillWrong, type FormDraft, type FormHandle } from "../../forms";
import type { FieldError, RequestDetail } from "../../types";
import { NO_SCHEMA, useDraft } from "./drafts";
import type { Answering, SectionHandle } from "./useAnswering";
import { titleOf } from "./words";

/** A form to answer with. Nothing is sent from here: the sheet asks it for what is filled in. */
export function FormSection({ detail, answering }: { detail: RequestDetail; answering: Answering }) {
  const { id } = detail.row;
  const spec = detail.form ?? NO_SCHEMA;
  const { draft, edit } = useDraft(detail, spec);
  const [errors, setErrors] = useState<readonly FieldError[]>([]);
  const form = useRef<FormHandle>(null);
  const handle = useRef<SectionHandle>(null);

  const change = (next: FormDraft) => {
    setErrors(stillWrong(errors, draft, next));
    answering.clear();
    edit(next);
  };
  useImperativeHandle(handle, () => ({
    check: async () => {
      let sends: string | undefined;
      const checked = await check(spec, draft, async (content) => {
        const reply = await answering.validate(id, content);
        sends = reply?.sends;
        return reply?.errors;
      });
      if (!checked) return undefined;
      setErrors(checked.errors);
      if (checked.errors.length > 0) {
        form.current?.focusError(checked.errors);
        return undefined;
      }
      return sends === undefined ? undefined : { request: id, title: titleOf(detail.row).title, content: checked.content, sends };
    },
    isStill: (content) => {
      const now = contentOf(spec, draft);
      return now.errors.length === 0 && now.content === content;
    },
    focus: () => form.current?.focus(),
  }));
  const { register } = answering;
  useEffect(() => {
    register(id, handle.current);
    return () => register(id, null);
  });

  return <FormEditor ref={form} spec={spec} draft={draft} onChange={change} errors={errors} disabled={answering.isBusy(id)} />;
}
