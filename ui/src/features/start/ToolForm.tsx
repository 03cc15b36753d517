import { useRef, useState } from "react";

import { openTask } from "../../app/nav";
import { PaneBody, PaneFoot } from "../../app/Panes";
import { ActionButton } from "../../components/Button";
import { ServerText, ServerWord } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { StatusLamp } from "../../components/StatusLamp";
import { check, draftOf, FormEditor, newDraft, stillWrong, type FormDraft, type FormHandle } from "../../forms";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { FieldError, Json, ServerView, ToolView } from "../../types";
import css from "./Start.module.css";

interface Props {
  server: ServerView;
  tool: ToolView;
  /** Arguments of an earlier call to begin with. */
  filled: Json | null;
}

/** The right pane: a tool's form. Nothing is sent before the desk found that everything fits. */
export function ToolForm({ server, tool, filled }: Props) {
  const [draft, setDraft] = useState<FormDraft>(() => (filled === null ? newDraft(tool.form) : draftOf(tool.form, filled)));
  const [errors, setErrors] = useState<readonly FieldError[]>([]);
  const form = useRef<FormHandle>(null);
  const act = useAct();

  const change = (next: FormDraft) => {
    setErrors(stillWrong(errors, draft, next));
    setDraft(next);
  };
  const refuse = (wrong: readonly FieldError[]) => {
    setErrors(wrong);
    form.current?.focusError(wrong);
  };
  const start = async () => {
    const checked = await check(tool.form, draft, async (content) => {
      const reply = await act.run({ type: "validate_arguments", schema: tool.inputSchema, arguments: content });
      return reply?.errors;
    });
    if (!checked) return;
    if (checked.errors.length > 0) {
      refuse(checked.errors);
      return;
    }
    const reply = await act.run({ type: "start", server: server.id, tool: tool.name, arguments: checked.content });
    if (reply) openTask(reply.call);
  };

  return (
    <>
      <PaneBody label={t.start.title}>
        <div>
          <h1>
            <ServerWord text={tool.title ?? tool.name} />
          </h1>
          {tool.title !== undefined && (
            <p className={css.soft}>
              <ServerWord text={tool.name} />
            </p>
          )}
        </div>
        {tool.description !== undefined && <ServerText text={tool.description} limit={1_200} />}
        {tool.destructive && (
          <p className={css.caution}>
            <StatusLamp lamp="tool_error" /> {t.start.destructive}
          </p>
        )}
        {filled !== null && <p className={css.soft}>{t.start.again}</p>}
        <FormEditor ref={form} spec={tool.form} draft={draft} onChange={change} errors={errors} disabled={act.busy} />
        {act.error && <ErrorNote error={act.error} />}
      </PaneBody>
      <PaneFoot>
        <ActionButton action="start.run" look="primary" disabled={act.busy} onRun={() => void start()}>
          {act.busy ? t.start.running : t.start.run}
        </ActionButton>
        {errors.length > 0 && <span className={css.wrong}>{t.start.fix}</span>}
      </PaneFoot>
    </>
  );
}
