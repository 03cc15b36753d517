import { useEffect, useRef, useState, type SubmitEvent } from "react";

import { Button } from "../../components/Button";
import { ErrorNote } from "../../components/States";
import { oneLine } from "../../format/text";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import { PaneBar, PaneBody, PaneFoot } from "../../places/Panes";
import { call } from "../../store/call";
import { t } from "../../strings";
import type { ServerView, Transport } from "../../types";
import { accessDraftOf, accessGaps, accessMisfits, newAccess, type AccessDraft, type AccessSpot } from "./access";
import { NetworkFields, SignInFields } from "./AccessFields";
import { useKeep, useLeavable } from "./leavable";
import { LeftNote } from "./LeftNote";
import { PlaceDialog } from "./PlaceDialog";
import css from "./ServerForm.module.css";
import { isUnkept } from "./unkept";
import { useLeave } from "./useLeave";

const FORM = "access-form";
const LITERAL = "client-secret";

interface Props {
  server: ServerView;
  onDone: (server: ServerView) => void;
  onCancel: () => void;
}

/** What is kept of the form while it is left. A typed secret is none of it. */
interface Left {
  draft: AccessDraft;
  /** A secret was typed. */
  secret: boolean;
  /** What it was said for. */
  shown: Transport;
}

/** The form for what reaching a server takes beside its address. Of servers behind a URL only. Left for another place, it is found as it was. */
export function AccessForm(props: Props) {
  const [sitting, setSitting] = useState(0);
  // A typed secret is in its input alone: only another form is an empty one.
  return <Form key={sitting} {...props} onStartOver={() => setSitting((n) => n + 1)} />;
}

function Form({ server, onDone, onCancel, onStartOver }: Props & { onStartOver: () => void }) {
  const host = useHost();
  const form = useRef<HTMLFormElement>(null);
  const [initial] = useState(() => accessDraftOf(server.access));
  // Access that was changed meanwhile is another form.
  const place = useLeavable<Left>(JSON.stringify(["access", server.id, initial]));
  const [draft, setDraft] = useState<AccessDraft>(place.left?.draft ?? initial);
  // Said for this host, wherever the server is moved while the form is open or left.
  const [shown] = useState(place.left?.shown ?? server.transport);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<ReadonlyMap<AccessSpot, string>>(new Map());
  const [failure, setFailure] = useState<DeskError>();
  /** The client's secret could not be kept: another place for secrets is offered. */
  const [stuck, setStuck] = useState(false);
  const [placing, setPlacing] = useState(false);
  const change = (part: Partial<AccessDraft>) => setDraft((before) => ({ ...before, ...part }));
  const title = t.servers.access.edit(oneLine(server.name));

  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  useEffect(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus(), [errors]);

  const literal = () => {
    const input = form.current?.elements.namedItem(LITERAL);
    return input instanceof HTMLInputElement ? input.value : "";
  };
  const typed = (): Left | undefined => {
    const secret = draft.hasSecret && draft.secret.source === "literal" && literal() !== "";
    return secret || JSON.stringify(draft) !== JSON.stringify(initial) ? { draft, secret, shown } : undefined;
  };
  useKeep(place, typed);
  const { leave, dialog } = useLeave(place, () => typed() !== undefined, onCancel, placing);

  const send = async () => {
    const gaps = accessGaps(draft, literal, t.servers.access.missing);
    setErrors(gaps);
    setFailure(undefined);
    setStuck(false);
    if (gaps.size > 0) return;
    setBusy(true);
    try {
      const reply = await call(host, { type: "set_access", server: server.id, access: newAccess(draft, literal), shown });
      place.drop();
      onDone(reply.server);
    } catch (thrown) {
      const error = DeskError.from(thrown);
      const misfits = accessMisfits(error);
      if (misfits === undefined) setFailure(error);
      else setErrors(misfits);
      setStuck(isUnkept(error.code));
      setBusy(false);
    }
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy) void send();
  };

  return (
    <>
      <PaneBar>
        <span className={css.bar}>{title}</span>
      </PaneBar>
      <PaneBody label={title}>
        <form id={FORM} ref={form} className={css.form} noValidate autoComplete="off" onSubmit={onSubmit}>
          {place.left && (
            <LeftNote
              missing={place.left.secret ? t.servers.left.secret : undefined}
              onStartOver={() => {
                place.drop();
                onStartOver();
              }}
            />
          )}
          <p className={css.intro}>{t.servers.access.intro}</p>
          <SignInFields draft={draft} change={change} errors={errors} literal={LITERAL} onPlace={stuck ? () => setPlacing(true) : undefined} />
          <NetworkFields draft={draft} change={change} errors={errors} />
          {failure && <ErrorNote error={failure} />}
        </form>
      </PaneBody>
      <PaneFoot>
        <Button look="primary" type="submit" form={FORM} disabled={busy}>
          {busy ? t.servers.access.saving : t.servers.access.save}
        </Button>
        <Button onClick={leave}>{t.app.cancel}</Button>
      </PaneFoot>
      {placing && <PlaceDialog onClose={() => setPlacing(false)} />}
      {dialog}
    </>
  );
}
