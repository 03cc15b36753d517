import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { useView } from "../../store/useView";
import { t } from "../../strings";
import type { RequestRow, ServerId, TaskRow } from "../../types";
import { endGuide, passStep, useStep } from "./guide";
import css from "./Hint.module.css";
import { READ, STEP_OF, type Step } from "./steps";

interface Props {
  step: Step | undefined;
  /** Whose question or task stands here, by id or by name; none where it is about the desk itself. */
  server?: ServerId;
  /** What belongs to the note, such as the command it speaks of. */
  children?: ReactNode;
}

/** The note of a step of the guide, beside what it speaks of. Nothing while it is not its turn. */
export function Hint({ step, server, children }: Props) {
  const { data } = useView({ type: "overview" });
  const demo = data?.servers.find((other) => other.demo);
  const isDemo = demo !== undefined && (server === undefined || server === demo.id || server === demo.name);
  const isDue = step !== "coming" || (demo !== undefined && demo.tasks.working > 0);
  const shows = useStep(step, isDemo && isDue);
  return shows && step !== undefined && <Note step={step}>{children}</Note>;
}

/** The note beside a question with a form. */
export function RequestHint({ row }: { row: RequestRow }) {
  return <Hint step={row.mode === "form" ? STEP_OF[row.state] : undefined} server={row.server} />;
}

/** The note beside a task: there is one once it has ended. */
export function TaskHint({ row }: { row: TaskRow }) {
  return <Hint step={row.outcome === undefined ? undefined : "result"} server={row.server} />;
}

/** Escape puts the guide away, and nothing behind the note. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  endGuide();
}

function Note({ step, children }: { step: Step; children?: ReactNode }) {
  const note = useRef<HTMLElement>(null);
  const { title, text } = t.first.guide.steps[step];
  const next = READ[step];
  // What a person was led to is to be seen: its place may lie further down.
  useEffect(() => {
    if (next !== undefined) note.current?.scrollIntoView({ block: "nearest" });
  }, [next]);
  return (
    <aside ref={note} className={css.note} aria-label={t.first.guide.label}>
      <div className={css.words} role="status">
        <strong>{title}</strong>
        <p>{text}</p>
        {children}
      </div>
      {next !== undefined && (
        <Button onClick={() => passStep(step)} onKeyDown={onKeyDown}>{next === null ? t.first.guide.done : t.first.guide.next}</Button>
      )}
      <Button look="quiet" className={css.end} aria-label={t.first.guide.end} title={t.first.guide.end} onClick={endGuide} onKeyDown={onKeyDown}>
        <span aria-hidden="true">×</span>
      </Button>
    </aside>
  );
}
