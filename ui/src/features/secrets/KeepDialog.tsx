import { useState, type SyntheticEvent } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { Field } from "../../components/Field";
import { ErrorNote } from "../../components/States";
import { useAct, type ReplyTo } from "../../store/call";
import { t } from "../../strings";
import type { Code, Command, SecretPlace } from "../../types";
import { PassphraseField, passphraseIn } from "./PassphraseField";
import css from "./Secrets.module.css";
import { isSetAsideIn, SetAside } from "./SetAside";

type Moved = ReplyTo<Extract<Command, { type: "keep_secrets" }>>;

interface Props {
  place: SecretPlace;
  /** There is no keychain here: it is no choice. */
  noKeychain: boolean;
  /** An encrypted file that is there and not in use. */
  idle: string | undefined;
  onClose: () => void;
  onMoved: (moved: Moved) => void;
}

const PLACES: SecretPlace[] = ["keychain", "file", "this_run"];

// Of a passphrase that is another, and of a damaged file: that one stands in for a keychain, and fails as one.
const FILE_REFUSED: Code[] = ["secrets_locked", "no_keychain"];

/** Chooses where secrets are kept from now on. */
export function KeepDialog({ place, noKeychain, idle, onClose, onMoved }: Props) {
  const act = useAct();
  const [chosen, setChosen] = useState<SecretPlace>(noKeychain && place === "keychain" ? "file" : place);
  const [slip, setSlip] = useState<"missing" | "differ">();
  const [shut, setShut] = useState(false);
  const refused = chosen === "file" && act.error !== undefined && FILE_REFUSED.includes(act.error.code);
  // Outlasts the error, which is gone as soon as it is tried again: a tick and the focus on it must not be lost by that.
  if (refused && !shut) setShut(true);
  const choose = (next: SecretPlace) => {
    setChosen(next);
    setSlip(undefined);
    setShut(false);
    act.clear();
  };
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (act.busy) return;
    const [first, second] = [passphraseIn(event.currentTarget, "passphrase"), passphraseIn(event.currentTarget, "again")];
    const wrong = chosen !== "file" ? undefined : first === "" ? "missing" : first !== second ? "differ" : undefined;
    setSlip(wrong);
    if (wrong) return;
    const passphrase = chosen === "file" ? { passphrase: first } : {};
    const aside = isSetAsideIn(event.currentTarget) ? { setAside: true } : {};
    const moved = await act.run({ type: "keep_secrets", place: chosen, ...passphrase, ...aside });
    if (!moved) return;
    onMoved(moved);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.secrets.keepTitle}
      actions={
        <>
          <Button look="primary" type="submit" form="keep-secrets" disabled={act.busy}>
            {t.secrets.keepIt}
          </Button>
          <Button onClick={onClose}>{t.app.cancel}</Button>
        </>
      }
    >
      <form id="keep-secrets" className={css.form} onSubmit={(event) => void submit(event)}>
        <Field group label={t.secrets.placesLabel} hint={t.secrets.what}>
          {() =>
            PLACES.map((option) => {
              const missing = noKeychain && option === "keychain";
              return (
                <label key={option} className={css.place}>
                  <input type="radio" name="place" disabled={missing} checked={option === chosen} onChange={() => choose(option)} />
                  <span>
                    {t.secrets.places[option]}
                    <span className={css.means}>{missing ? t.secrets.noKeychainHere : t.secrets.means[option]}</span>
                  </span>
                </label>
              );
            })
          }
        </Field>
        {chosen === "file" && (
          <>
            <PassphraseField
              name="passphrase"
              label={t.secrets.newPassphrase}
              kind="new-password"
              error={slip === "missing" ? t.secrets.missing : undefined}
            />
            <PassphraseField
              name="again"
              label={t.secrets.again}
              kind="new-password"
              error={slip === "differ" ? t.secrets.differ : undefined}
            />
          </>
        )}
      </form>
      {act.error && <ErrorNote error={act.error} {...(refused && { title: t.secrets.refused })} />}
      <div role="status">{shut && idle !== undefined && <SetAside form="keep-secrets" file={idle} />}</div>
    </Dialog>
  );
}
