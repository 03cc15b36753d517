import { useRef, useState, type SyntheticEvent } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { t } from "../../strings";
import type { SavedViews } from "./useSavedViews";
import { LONGEST_NAME, MOST_VIEWS } from "./views";

interface Props {
  views: SavedViews;
  /** Whether the list's filter can be read: one that cannot is not kept. */
  isReadable: boolean;
  onClose: () => void;
}

/** Names the list as it stands, and what else can be done with the view in force. */
export function ViewDialog(props: Props) {
  const [asked, setAsked] = useState(false);
  if (asked) return <DeleteDialog views={props.views} onClose={props.onClose} onKeep={() => setAsked(false)} />;
  return <NameDialog {...props} onDelete={() => setAsked(true)} />;
}

function NameDialog({ views, isReadable, onClose, onDelete }: Props & { onDelete: () => void }) {
  const { all, inForce, isChanged } = views;
  const words = t.tasks.view;
  const [typed, setTyped] = useState(inForce?.name ?? "");
  const input = useRef<HTMLInputElement>(null);
  const name = typed.trim();
  const isOwn = name === inForce?.name;
  const isTaken = !isOwn && all.some((other) => other.name === name);
  const isFull = all.length >= MOST_VIEWS;
  const isNew = name !== "" && !isOwn && !isTaken;
  const canSave = isReadable && (isOwn ? isChanged : isNew && !isFull);
  const close = (act: () => void) => () => {
    act();
    onClose();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (canSave) close(() => views.save(name))();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={inForce === undefined ? words.saveTitle : words.title}
      initialFocus={input}
      actions={
        <>
          <Button look="primary" type="submit" form="view" disabled={!canSave}>
            {inForce === undefined || isOwn ? words.save : words.saveAs}
          </Button>
          {inForce !== undefined && (
            <>
              <Button disabled={!isNew} onClick={close(() => views.rename(name))}>
                {words.rename}
              </Button>
              <Button look="danger" onClick={onDelete}>
                {words.remove}
              </Button>
            </>
          )}
          <Button onClick={onClose}>{t.app.cancel}</Button>
        </>
      }
    >
      <form id="view" onSubmit={submit}>
        <Field label={words.name} hint={isFull ? words.full(MOST_VIEWS) : isReadable ? words.hint : words.unreadable} errors={isTaken ? [words.taken] : []}>
          {(control) => (
            <input
              {...control}
              ref={input}
              className={field.input}
              autoComplete="off"
              maxLength={LONGEST_NAME}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onFocus={(event) => event.target.select()}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

function DeleteDialog({ views, onClose, onKeep }: Pick<Props, "views" | "onClose"> & { onKeep: () => void }) {
  const words = t.tasks.view;
  const keep = useRef<HTMLButtonElement>(null);
  const remove = () => {
    views.remove();
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onKeep}
      title={words.removeTitle}
      initialFocus={keep}
      actions={
        <>
          <Button look="danger" onClick={remove}>
            {words.remove}
          </Button>
          <Button ref={keep} onClick={onKeep}>{words.keep}</Button>
        </>
      }
    >
      <p>{words.removes(views.inForce?.name ?? "")}</p>
    </Dialog>
  );
}
