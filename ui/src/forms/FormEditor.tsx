import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState, type ChangeEvent, type Ref } from "react";

import { isField } from "../actions/keys";
import { land, standIn } from "../components/focus";
import { ServerText, ServerWord } from "../components/ServerText";
import { Tabs } from "../components/Tabs";
import { t, WHY } from "../strings";
import type { FieldError, FormSpec } from "../types";
import { hasFields, notInJson, toForm, toJson, type FormDraft } from "./draft";
import css from "./forms.module.css";
import { FormerView } from "./FormerView";
import { FormView } from "./FormView";
import { JsonView } from "./JsonView";
import { Misfits } from "./Misfits";
import { Stuck } from "./Stuck";

/** How a form is gone into. */
export interface Into {
  /** Only where the first control takes no text, so that plain keys stay keys. */
  readonly keys?: boolean;
  /** What is in sight stays in sight: nothing scrolls to the control. */
  readonly still?: boolean;
}

/** What a place can do with the form that it shows. */
export interface FormHandle {
  /** Goes to the first control; false where it does not. */
  focus: (into?: Into) => boolean;
  /** Goes to the first control of which `errors` speak. */
  focusError: (errors: readonly FieldError[]) => void;
}

interface Props {
  spec: FormSpec;
  draft: FormDraft;
  onChange: (draft: FormDraft) => void;
  /** What does not fit, of the fields of which that is to be said. */
  errors: readonly FieldError[];
  /** Whether it was refused: then a summary of all that does not fit is shown. */
  refused?: boolean;
  /** What is known of the JSON text as it stands. */
  verdict?: readonly FieldError[] | undefined;
  /** Where the desk found secrets in the JSON text. */
  secrets?: readonly string[];
  /** A field was left. */
  onLeave?: (field: string) => void;
  /** Where the summary stays in sight. */
  misfitsAt?: HTMLElement | null | undefined;
  disabled?: boolean;
  /** What is said at a field that asks for a secret. */
  secretMeans?: string;
  ref?: Ref<FormHandle>;
}

const CONTROLS = ":is(input, select, textarea):not(:disabled)";

/** A form to fill in, as fields or as the JSON text of the whole content. */
export function FormEditor({ spec, draft, onChange, errors, refused = true, verdict, secrets = [], onLeave, misfitsAt, disabled = false, secretMeans = t.forms.secret.means, ref }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const [stuck, setStuck] = useState(false);

  const firstIn = (place: string) => root.current?.querySelector<HTMLElement>(`${place} ${CONTROLS}`) ?? null;
  const focusIn = (place: string) => {
    const control = firstIn(place);
    control?.focus();
    // Its label and its error come into sight with it, once they are there.
    requestAnimationFrame(() => control?.closest("[data-field]")?.scrollIntoView({ block: "nearest" }));
    return control !== null;
  };
  const focusField = (name: string | undefined) => {
    const index = spec.fields.findIndex((other) => other.name === name);
    focusIn(draft.tab === "json" || index < 0 ? "[data-content]" : `[data-field="${index}"]`);
  };
  useImperativeHandle(ref, () => ({
    focus: ({ keys = false, still = false } = {}) => {
      const first = firstIn("[data-content]");
      if (keys && isField(first)) return false;
      if (!still) return focusIn("[data-content]");
      if (first) land(first);
      return first !== null;
    },
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

  // What has the focus may be out of sight, and a choice, unlike text, is no reason for the window to show it.
  const onChosen = ({ target }: ChangeEvent) => {
    if (target.matches("select, [type=radio], [type=checkbox]")) (target.closest("label") ?? target).scrollIntoView({ block: "nearest" });
  };

  const onFocusOut = useEffectEvent(({ target, relatedTarget }: FocusEvent) => {
    const place = target instanceof Element ? target.closest<HTMLElement>("[data-field]") : null;
    // From one tick to the next it is still the same field.
    if (!place || (relatedTarget instanceof Element && relatedTarget.matches("input, select, textarea") && place.contains(relatedTarget))) return;
    const name = spec.fields[Number(place.dataset.field)]?.name;
    if (name !== undefined) onLeave?.(name);
  });
  useEffect(() => {
    const place = root.current;
    const listener = (event: FocusEvent) => onFocusOut(event);
    place?.addEventListener("focusout", listener);
    return () => place?.removeEventListener("focusout", listener);
  }, []);

  const choose = (tab: FormDraft["tab"]) => {
    if (tab === draft.tab) return;
    const next = tab === "json" ? toJson(spec, draft) : toForm(spec, draft);
    setStuck("why" in next);
    if (!("why" in next)) onChange(next);
  };
  const change = (next: FormDraft) => {
    setStuck(false);
    onChange(next);
  };

  return (
    <div ref={root} className={css.editor}>
      {hasFields(spec) && (
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
        {stuck && <Stuck spec={spec} draft={draft} onGo={change} />}
        {refused && <Misfits spec={spec} tab={draft.tab} errors={errors} onPick={focusField} at={misfitsAt} />}
        <div className={css.both}>
          <fieldset className={css.plain} disabled={disabled} data-content onChange={onChosen}>
            {draft.tab === "form" ? (
              <FormView spec={spec} value={draft.value} onChange={(value) => change({ ...draft, value })} errors={errors} secretMeans={secretMeans} />
            ) : (
              <JsonView
                spec={spec}
                json={draft.json}
                onChange={(json) => change({ ...draft, json })}
                missing={notInJson(spec, draft)}
                verdict={verdict}
                secrets={secrets}
                secretMeans={secretMeans}
              />
            )}
          </fieldset>
          {draft.former && <FormerView spec={spec} draft={draft} former={draft.former} onChange={change} onTaken={focusField} />}
        </div>
      </div>
    </div>
  );
}

/** What the schema says of the form as a whole, and what of it cannot be shown or checked. */
function About({ spec }: { spec: FormSpec }) {
  const notes = spec.notes.filter((note) => note.field === undefined);
  return (
    <>
      {spec.title !== undefined && spec.title.trim() !== "" && (
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
