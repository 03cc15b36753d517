import { useCallback, useEffect, useRef, useState } from "react";

import { ActionButton, Button } from "../../components/Button";
import { ServerText, ServerWord } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { StatusLamp } from "../../components/StatusLamp";
import { check, FormEditor, useFit, type FormHandle } from "../../forms";
import { openTask, pickTool, type StartWish } from "../../places/nav";
import { PaneBody, PaneFoot } from "../../places/Panes";
import { useHost } from "../../host/context";
import { call, useAct } from "../../store/call";
import { t } from "../../strings";
import type { Json, ServerView, ToolView } from "../../types";
import { useToolDraft } from "./drafts";
import css from "./Start.module.css";

interface Props {
  server: ServerView;
  tool: ToolView;
  /** May hold the arguments of an earlier call to begin with. */
  wish: StartWish;
}

/** The right pane: a tool's form. Nothing is sent before the desk found that everything fits. */
export function ToolForm({ server, tool, wish }: Props) {
  const { draft, kept, edit, startOver, done } = useToolDraft(server, tool, wish.arguments);
  const host = useHost();
  const ask = useCallback(
    (content: Json) =>
      call(host, { type: "validate_arguments", schema: tool.inputSchema, arguments: content }).catch(() => undefined),
    [host, tool.inputSchema],
  );
  const fit = useFit(tool.form, draft, ask);
  const [misfitsAt, setMisfitsAt] = useState<HTMLDivElement | null>(null);
  const form = useRef<FormHandle>(null);
  const body = useRef<HTMLDivElement>(null);
  const act = useAct();
  useEffect(() => {
    if (!wish.enter) return;
    // A form without fields has at least its words.
    body.current?.focus();
    form.current?.focus();
  }, [wish]);

  const start = async () => {
    const checked = await check(tool.form, draft, async (content) => {
      const reply = await act.run({ type: "validate_arguments", schema: tool.inputSchema, arguments: content });
      return reply?.errors;
    });
    if (!checked) return;
    if (checked.errors.length > 0) {
      fit.refuse(draft, checked.errors);
      form.current?.focusError(checked.errors);
      return;
    }
    const reply = await act.run({ type: "start", server: server.id, tool: tool.name, arguments: checked.content });
    if (!reply) return;
    done();
    pickTool(server.id, null);
    openTask(reply.call);
  };

  return (
    <>
      <PaneBody label={t.start.title} ref={body}>
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
        {kept ? (
          <p className={css.kept}>
            {t.start.kept}{" "}
            <Button
              look="quiet"
              onClick={() => {
                fit.reset();
                startOver();
                form.current?.focus();
              }}
            >
              {t.start.startOver}
            </Button>
          </p>
        ) : (
          wish.arguments !== null && <p className={css.soft}>{t.start.again}</p>
        )}
        <FormEditor
          ref={form}
          spec={tool.form}
          draft={draft}
          onChange={edit}
          errors={fit.errors}
          refused={fit.refused}
          verdict={fit.verdict}
          onLeave={fit.leave}
          misfitsAt={misfitsAt}
          disabled={act.busy}
          secretMeans={t.forms.secret.meansOfTool}
        />
        {act.error && <ErrorNote error={act.error} />}
      </PaneBody>
      <div ref={setMisfitsAt} className={css.misfits} />
      <PaneFoot>
        <ActionButton action="start.run" look="primary" disabled={act.busy} onRun={() => void start()}>
          {act.busy ? t.start.running : t.start.run}
        </ActionButton>
        {fit.refused && fit.errors.length > 0 && <span className={css.wrong}>{t.start.fix}</span>}
      </PaneFoot>
    </>
  );
}
