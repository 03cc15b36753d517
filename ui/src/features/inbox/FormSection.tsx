import { useCallback, useEffect, useImperativeHandle, useRef } from "react";

import { check, contentOf, FormEditor, labelAt, lengthOf, replacedAt, useFit, type FormDraft, type FormHandle } from "../../forms";
import { useHost } from "../../host/context";
import { call } from "../../store/call";
import { t } from "../../strings";
import type { Json, RequestDetail } from "../../types";
import { NO_SCHEMA, useDraft } from "./drafts";
import type { Answering, SectionHandle } from "./useAnswering";
import { titleOf } from "./words";

interface Props {
  detail: RequestDetail;
  answering: Answering;
  /** Where it says in sight what does not fit. */
  misfitsAt: HTMLElement | null;
}

/** A response as it may be shown. */
function asShown(sends: Json, secrets: readonly string[]): Json {
  const places = new Set(secrets.map((path) => `/content${path}`));
  return replacedAt(sends, (path, value) => (places.has(path) ? t.forms.secret.told(t.forms.characters(lengthOf(value))) : undefined));
}

/** A form to answer with. Nothing is sent from here: the sheet asks it for what is filled in. */
export function FormSection({ detail, answering, misfitsAt }: Props) {
  const host = useHost();
  const { id } = detail.row;
  const spec = detail.form ?? NO_SCHEMA;
  const { draft, edit } = useDraft(detail, spec);
  // What is looked at by the way says nothing in the foot when it fails: whoever sends is told then.
  const ask = useCallback(
    (content: Json) => call(host, { type: "validate", request: id, content }).catch(() => undefined),
    [host, id],
  );
  const fit = useFit(spec, draft, ask);
  const form = useRef<FormHandle>(null);
  const handle = useRef<SectionHandle>(null);

  const change = (next: FormDraft) => {
    answering.clear();
    edit(next);
  };
  useImperativeHandle(handle, () => ({
    check: async () => {
      let sends: string | undefined;
      let secrets: readonly string[] = [];
      const checked = await check(spec, draft, async (content) => {
        const reply = await answering.validate(id, content);
        sends = reply?.sends;
        secrets = reply?.secrets ?? [];
        return reply?.errors;
      });
      if (!checked) return undefined;
      if (checked.errors.length > 0) {
        fit.refuse(draft, checked.errors);
        form.current?.focusError(checked.errors);
        return undefined;
      }
      if (sends === undefined) return undefined;
      return {
        request: id,
        title: titleOf(detail.row).title,
        content: checked.content,
        sends: secrets.length === 0 ? sends : asShown(sends, secrets),
        secrets: [...new Set(secrets.map((path) => labelAt(spec, path)))],
      };
    },
    isStill: (content) => {
      const now = contentOf(spec, draft);
      return now.errors.length === 0 && now.content === content;
    },
    focus: (into) => form.current?.focus(into) ?? false,
  }));
  const { register } = answering;
  useEffect(() => {
    register(id, handle.current);
    return () => register(id, null);
  });

  return (
    <FormEditor
      ref={form}
      spec={spec}
      draft={draft}
      onChange={change}
      errors={fit.errors}
      refused={fit.refused}
      verdict={fit.verdict}
      secrets={fit.secrets}
      onLeave={fit.leave}
      misfitsAt={misfitsAt}
      disabled={answering.isBusy(id)}
    />
  );
}
