import { useRef, type SyntheticEvent } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import { PassphraseField, passphraseIn } from "./PassphraseField";

/** Asks for the passphrase of the encrypted file. It can be left for later. */
export function UnlockDialog({ onClose }: { onClose: () => void }) {
  const act = useAct();
  const input = useRef<HTMLInputElement>(null);
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const passphrase = passphraseIn(event.currentTarget, "passphrase");
    if (act.busy || passphrase === "") return;
    if (await act.run({ type: "unlock_secrets", passphrase })) onClose();
    else input.current?.select();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.secrets.unlockTitle}
      initialFocus={input}
      actions={
        <>
          <Button look="primary" type="submit" form="unlock-secrets" disabled={act.busy}>
            {t.secrets.unlockIt}
          </Button>
          <Button onClick={onClose}>{t.secrets.skip}</Button>
        </>
      }
    >
      <p>{t.secrets.unlockText}</p>
      <form id="unlock-secrets" onSubmit={(event) => void submit(event)}>
        <PassphraseField
          name="passphrase"
          label={t.secrets.passphrase}
          kind="current-password"
          input={input}
          error={act.error?.message}
        />
      </form>
    </Dialog>
  );
}
