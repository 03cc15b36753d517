import { useEffect, useRef, useState, type SubmitEvent } from "react";

import { PaneBar, PaneBody, PaneFoot } from "../../app/Panes";
import { Button } from "../../components/Button";
import { ErrorNote } from "../../components/States";
import { oneLine } from "../../format/text";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import { call } from "../../store/call";
import { t } from "../../strings";
import type { ServerView } from "../../types";
import { accessDraftOf, accessGaps, accessMisfits, newAccess, type AccessDraft, type AccessSpot } from "./access";
import { NetworkFields, SignInFields } from "./AccessFields";
import css from "./ServerForm.module.css";

const FORM = "access-form";
const LITERAL = "client-secret";

interface Props {
  server: ServerView;
  onDone: (server: ServerView) => void;
  onCancel: () => void;
}

/** The form for what reaching a server takes beside its address. Of servers behind a URL only. */
export function AccessForm({ server, onDone, onCancel }: Props) {
  const host = useHost();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<AccessDraft>(() => accessDraftOf(server.access));
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<ReadonlyMap<AccessSpot, string>>(new Map());
  const [failure, setFailure] = useState<DeskError>();
  const change = (part: Partial<AccessDraft>) => setDraft((before) => ({ ...before, ...part }));
  const title = t.servers.access.edit(oneLine(server.name));

  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  useEffect(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus(), [errors]);

  const send = async (data: FormData) => {
    const literal = () => {
      const value = data.get(LITERAL);
      return typeof value === "string" ? value : "";
    };
    const gaps = accessGaps(draft, literal, t.servers.access.missing);
    setErrors(gaps);
    setFailure(undefined);
    if (gaps.size > 0) return;
    setBusy(true);
    try {
      const reply = await call(host, { type: "set_access", server: server.id, access: newAccess(draft, literal) });
      onDone(reply.server);
    } catch (thrown) {
      const error = DeskError.from(thrown);
      const misfits = accessMisfits(error);
      if (misfits === undefined) setFailure(error);
      else setErrors(misfits);
      setBusy(false);
    }
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy) void send(new FormData(event.currentTarget));
  };

  return (
    <>
      <PaneBar>
        <span className={css.bar}>{title}</span>
      </PaneBar>
      <PaneBody label={title}>
        <form id={FORM} ref={form} className={css.form} noValidate autoComplete="off" onSubmit={onSubmit}>
          <p className={css.intro}>{t.servers.access.intro}</p>
          <SignInFields draft={draft} change={change} errors={errors} literal={LITERAL} />
          <NetworkFields draft={draft} change={change} errors={errors} />
          {failure && <ErrorNote error={failure} />}
        </form>
      </PaneBody>
      <PaneFoot>
        <Button look="primary" type="submit" form={FORM} disabled={busy}>
          {busy ? t.servers.access.saving : t.servers.access.save}
        </Button>
        <Button onClick={onCancel}>{t.app.cancel}</Button>
      </PaneFoot>
    </>
  );
}
