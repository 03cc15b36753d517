import { useRef, useState, type SyntheticEvent } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { ServerView } from "../../types";
import css from "./Servers.module.css";

/** Gives a server another name. */
export function RenameButton({ server }: { server: ServerView }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={css.link} onClick={() => setOpen(true)}>
        {t.servers.rename}
      </button>
      {open && <RenameDialog server={server} onClose={() => setOpen(false)} />}
    </>
  );
}

function RenameDialog({ server, onClose }: { server: ServerView; onClose: () => void }) {
  const act = useAct();
  const [name, setName] = useState(server.name);
  const input = useRef<HTMLInputElement>(null);
  const save = async () => {
    if (await act.run({ type: "rename_server", server: server.id, name })) onClose();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!act.busy) void save();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.servers.renameTitle}
      initialFocus={input}
      actions={
        <>
          <Button look="primary" type="submit" form="rename-server" disabled={act.busy}>
            {t.servers.rename}
          </Button>
          <Button onClick={onClose}>{t.app.cancel}</Button>
        </>
      }
    >
      <form id="rename-server" onSubmit={submit}>
        <Field label={t.servers.name} hint={t.servers.renameHint} errors={act.error ? [act.error.message] : []}>
          {(control) => (
            <input
              {...control}
              ref={input}
              className={field.input}
              autoComplete="off"
              spellCheck={false}
              value={name}
              onChange={(event) => setName(event.target.value)}
              onFocus={(event) => event.target.select()}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
