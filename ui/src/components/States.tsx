import type { ReactNode } from "react";

import type { DeskError } from "../host/error";
import { CODE_ADVICE, CODES, RETRY, t } from "../strings";
import type { Code, NoteCode } from "../types";
import { Button } from "./Button";
import { ServerText } from "./ServerText";
import css from "./States.module.css";

interface EmptyProps {
  title: string;
  /** What to do next. */
  hint?: string;
  children?: ReactNode;
}

/** Nothing to show, and what to do next. */
export function EmptyState({ title, hint, children }: EmptyProps) {
  return (
    <div className={css.state}>
      <h2 className={css.title}>{title}</h2>
      {hint !== undefined && <p className={css.hint}>{hint}</p>}
      {children}
    </div>
  );
}

/** Something is on its way. Appears only when it takes a while, so that nothing flickers. */
export function LoadingState({ what = t.app.loading }: { what?: string }) {
  return (
    <div className={`${css.state} ${css.late}`} role="status">
      <p className={css.hint}>{what}…</p>
    </div>
  );
}

interface ErrorProps {
  error: DeskError;
  onRetry?: (() => void) | undefined;
  /** What to do about it, where the place knows more than the code. */
  advice?: string | undefined;
  /** What mends it. */
  action?: ReactNode;
}

/** What went wrong, in place of what was wanted. */
export function ErrorState({ error, onRetry, advice, action }: ErrorProps) {
  return (
    <div className={css.state} role="alert">
      <h2 className={css.title}>{CODES[error.code]}</h2>
      <div className={css.hint}>
        <Says code={error.code} message={error.message} />
        {advice !== undefined && <p>{advice}</p>}
      </div>
      {action}
      {onRetry && error.retry !== "never" && <Button onClick={onRetry}>{t.app.retry}</Button>}
    </div>
  );
}

/** What went wrong with an act, beside the button that started it. Where the place has a title of its own, it advises itself. */
export function ErrorNote({ error, title }: { error: DeskError; title?: string }) {
  return (
    <Note title={title ?? CODES[error.code]}>
      {title === undefined ? <Says code={error.code} message={error.message} /> : <ServerText text={error.message} limit={600} />}
      {RETRY[error.retry] !== "" && <p>{RETRY[error.retry]}</p>}
    </Note>
  );
}

/** The particulars of an error, and what to do about it in this window. */
export function Says({ code, message }: { code: Code | NoteCode; message: string }) {
  const advice = CODE_ADVICE[code];
  return (
    <>
      <ServerText text={message} limit={600} />
      {advice !== undefined && <p>{advice}</p>}
    </>
  );
}

/** What went wrong with an act, in words of its own. */
export function Note({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={css.note} role="alert">
      <strong>{title}</strong>
      {children}
    </div>
  );
}
