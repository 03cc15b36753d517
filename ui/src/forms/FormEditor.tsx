import { useEffect, useImperativeHandle, useRef, useState, type Ref } from "react";

import { Field as Shell } from "../components/Field";
import field from "../components/Field.module.css";
import { standIn } from "../components/focus";
import { ServerText, ServerWord } from "../components/ServerText";
import { Tabs } from "../components/Tabs";
import { t, WHY } from "../strings";
import type { FieldError, FormSpec } from "../types";
import { Syntax } from "./controls";
import { hasFields, toForm, toJson, type FormDraft } from "./draft";
import css from "./forms.module.css";
import { FormView } from "./FormView";
import type { Unshowable } from "./value";

/** What a place can do with the form that it shows. */
export interface FormHandle {
  /** Goes to the first control. */
  focus: () => void;
  /** Goes to the first control of which `errors` speak. */
  focusError: (errors: readonly FieldError[]) => void;
}

interface Props {
  spec: FormSpec;
  draft: FormDraft;
  onChange: (draft: FormDraft) => void;
  errors: readonly FieldError[];
  disabled?: boolean;
  ref?: Ref<FormHandle>;
}

const CONTROLS = ":is(input, select, textarea):not(:disabled)";

/** A form to fill in, as fields or as the JSON text of the whole content. */
export function FormEditor({ spec, draft, onChange, errors, disabled = false, ref }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const [stuck, setStuck] = useState<Unshowable>();

  const focusIn = (place: string) => {
    const control = root.current?.querySelector<HTMLElement>(`${place} ${CONTROLS}`);
    control?.focus();
    // Its label and its error come into sight with it, once they are there.
    requestAnimationFrame(() => control?.closest("[data-field]")?.scrollIntoView({ block: "nearest" }));
  };
  const focusField = (name: string | undefined) => {
    const index = spec.fields.findIndex((other) => other.name === name);
    focusIn(draft.tab === "json" || index < 0 ? "[data-content]" : `[data-field="${index}"]`);
  };
  useImperativeHandle(ref, () => ({
    focus: () => focusIn("[data-content]"),
    focusError: ([first]) => first && focusField(first.field),
  }));

  // A way out of the field by keyboard, so that the plain keys of the action table work again.
  useEffect(() => {
    const place = root.current;
    const leave = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.isComposing || !(event.target instanceof HTMLElement)) return;
      event.preventDefault();
      const pane = standIn(event.target.closest("[data-pane]"));
      if (pane) pane.focus();
      else event.target.blur();
    };
    place?.addEventListener("keydown", leave);
    return () => place?.removeEventListener("keydown", leave);
  }, []);

  const choose = (tab: FormDraft["tab"]) => {
    if (tab === draft.tab) return;
    const next = tab === "json" ? toJson(spec, draft) : toForm(spec, draft);
    setStuck("why" in next ? next : undefined);
    if (!("why" in next)) onChange(next);
  };
  const change = (next: FormDraft) => {
    setStuck(undefined);
    onChange(next);
  };

  return (
    <div ref={root} className={css.editor}>
      {hasFields(spec) && spec.fields.length > 0 && (
        <div className={css.tabs}>
          <Tabs
            label={t.forms.tabs.label}
            value={draft.tab}
            onChange={choose}
            tabs={(["form", "json"] as const).map((value) => ({ value, label: t.forms.tabs[value] }))}
          />
        </div>
      )}
      <div className={css.main}>
        <About spec={spec} />
        {stuck && (
          <p className={css.stuck} role="alert">
            {whyStuck(stuck)} {t.forms.staysJson}
          </p>
        )}
        <Summary spec={spec} draft={draft} errors={errors} onPick={focusField} />
        <fieldset className={css.plain} disabled={disabled} data-content>
          {draft.tab === "form" ? (
            <FormView spec={spec} value={draft.value} onChange={(value) => change({ ...draft, value })} errors={errors} />
          ) : (
            <Shell label={t.forms.content} errors={errors.map((error) => placed(error))}>
              {(control) => (
                <>
                  <textarea
                    {...control}
                    className={`${field.input} ${field.mono}`}
                    rows={Math.min(24, Math.max(8, draft.json.split("\n").length + 1))}
                    spellCheck={false}
                    autoCapitalize="off"
                    autoComplete="off"
                    value={draft.json}
                    onChange={(event) => change({ ...draft, json: event.target.value })}
                  />
                  <Syntax text={draft.json} />
                </>
              )}
            </Shell>
          )}
        </fieldset>
      </div>
    </div>
  );
}

/** What the schema says of the form as a whole, and what of it cannot be shown or checked. */
function About({ spec }: { spec: FormSpec }) {
  const notes = spec.notes.filter((note) => note.field === undefined);
  return (
    <>
      {spec.title !== undefined && (
        <h2 className={css.title}>
          <ServerWord text={spec.title} />
        </h2>
      )}
      {spec.description !== undefined && <ServerText text={spec.description} limit={600} />}
      {spec.fallback && (
        <div className={css.quiet}>
          {WHY[spec.fallback.why]}. {t.forms.fallback}
          {spec.fallback.detail !== undefined && <ServerText text={spec.fallback.detail} limit={300} />}
        </div>
      )}
      {notes.map((note) => (
        <div key={note.message} className={css.quiet}>
          <ServerText text={note.message} limit={300} />
        </div>
      ))}
    </>
  );
}

interface SummaryProps {
  spec: FormSpec;
  draft: FormDraft;
  errors: readonly FieldError[];
  onPick: (field: string | undefined) => void;
}

/** How many values do not fit, and the way to each. It stays in sight while the form scrolls below it. */
function Summary({ spec, draft, errors, onPick }: SummaryProps) {
  if (errors.length === 0) return null;
  const label = (name: string | undefined) => spec.fields.find((other) => other.name === name)?.label ?? name;
  // In the JSON text all of them stand below it already.
  const listed = draft.tab === "json" ? [] : errors.length > 1 ? errors : errors.filter((error) => label(error.field) === undefined);
  return (
    <div className={css.summary} role="alert">
      <strong>{t.forms.doNotFit(errors.length)}</strong>
      {listed.length > 0 && (
        <ul>
          {listed.map((error) => (
            <li key={error.path}>
              <button type="button" className={css.jump} onClick={() => onPick(error.field)}>
                <ServerWord text={label(error.field) ?? t.forms.whole} />: <ServerWord text={error.message} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function placed(error: FieldError): string {
  return error.path === "" ? error.message : `${error.path}: ${error.message}`;
}

function whyStuck(stuck: Unshowable): string {
  return "name" in stuck ? t.forms.unshowable[stuck.why](stuck.name) : t.forms.unshowable[stuck.why];
}
