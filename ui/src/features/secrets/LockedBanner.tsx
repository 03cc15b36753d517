import { useState } from "react";

import { Banner } from "../../components/Banner";
import { Button } from "../../components/Button";
import { laterDialog } from "../../components/later";
import { CODES, t } from "../../strings";

const UnlockDialog = laterDialog(async () => (await import("../seldom")).UnlockDialog);

/** Secrets wait for their passphrase: said calmly, since only some servers need one. */
export function LockedBanner({ onPutAway }: { onPutAway: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Banner look="warn" onPutAway={onPutAway} action={<Button onClick={() => setOpen(true)}>{t.secrets.unlock}</Button>}>
        <strong>{CODES.secrets_locked}.</strong> {t.secrets.banner}
      </Banner>
      {open && <UnlockDialog onClose={() => setOpen(false)} />}
    </>
  );
}
