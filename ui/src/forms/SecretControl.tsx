import field from "../components/Field.module.css";
import { t } from "../strings";
import { PLAIN, Syntax, useLines, type ControlProps } from "./controls";
import css from "./forms.module.css";

interface Props extends ControlProps {
  /** Whether somebody asked to see it. */
  shown: boolean;
  onShow: (shown: boolean) => void;
}

/** A secret as it is typed: seen by nobody but who asks to see it. */
export function SecretControl({ field: { required }, kind, entry, onChange, control, shown, onShow }: Props) {
  const text = entry ?? "";
  const json = kind.type === "json";
  const lines = useLines(json || (kind.type === "text" && kind.multiline), text);
  const change = (typed: string) => onChange((json ? typed.trim() : typed) === "" ? undefined : typed);
  const props = { ...control, ...PLAIN, className: field.input, value: text, "aria-required": required };
  return (
    <>
      <div className={css.secret}>
        {lines ? (
          <textarea {...props} rows={5} data-hidden={!shown} onChange={({ target }) => change(target.value)} />
        ) : (
          <input {...props} type={shown ? "text" : "password"} onChange={({ target }) => change(target.value)} />
        )}
        <button type="button" className={css.way} aria-describedby={`${control.id}-label`} onClick={() => onShow(!shown)}>
          {shown ? t.forms.secret.hide : t.forms.secret.show}
        </button>
      </div>
      {json && <Syntax text={text} />}
    </>
  );
}
