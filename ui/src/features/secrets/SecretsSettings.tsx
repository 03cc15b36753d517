import { useEffect, useState } from "react";

import { Button } from "../../components/Button";
import { Details } from "../../components/Details";
import { Section } from "../../components/Section";
import { ErrorNote } from "../../components/States";
import { StatusLamp } from "../../components/StatusLamp";
import { oneLine, visible } from "../../format/text";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { SecretsView, Trouble } from "../../types";
import { KeepDialog } from "./KeepDialog";
import css from "./Secrets.module.css";
import { UnlockDialog } from "./UnlockDialog";

/** Where secrets are kept, whether they can be had, and a way to change it. */
export function SecretsSettings({ troubles }: { troubles: Trouble[] }) {
  const { run, busy, error } = useAct();
  const [round, setRound] = useState(0);
  const [secrets, setSecrets] = useState<SecretsView>();
  const [change, setChange] = useState<{ moved: number; left: string[]; aside?: string }>();
  const [open, setOpen] = useState<"keep" | "unlock">();
  const locked = troubles.some((trouble) => trouble.code === "secrets_locked");
  // Asked for anew when it was unlocked, whoever did that.
  useEffect(() => {
    let left = false;
    void run({ type: "secrets" }).then((reply) => {
      if (reply && !left) setSecrets(reply.secrets);
    });
    return () => {
      left = true;
    };
  }, [run, locked, round]);
  const close = () => setOpen(undefined);
  return (
    <Section title={t.secrets.title}>
      <p className={css.soft}>{t.secrets.what}</p>
      {secrets && (
        <>
          <p className={css.where}>
            {locked && secrets.place === "file" ? t.secrets.keptLocked : secrets.noKeychain ? t.secrets.keptNowhere : t.secrets.kept[secrets.place]}
            {secrets.file !== undefined && (
              <>
                {" "}
                <code>{visible(secrets.file)}</code>
              </>
            )}
          </p>
          {secrets.unused !== undefined && (
            <p className={css.soft}>
              {t.secrets.unused} <code>{visible(secrets.unused)}</code>
            </p>
          )}
          {secrets.state === "unusable" && (
            <div className={css.bad}>
              <StatusLamp lamp="tool_error" />
              <div>
                <p>{secrets.noKeychain ? t.secrets.noKeychain : t.secrets.unusable}</p>
                <Details text={[secrets.message, secrets.detail].filter((part) => part !== undefined).join(": ")} />
              </div>
            </div>
          )}
          <div className={css.line}>
            {locked && <Button onClick={() => setOpen("unlock")}>{t.secrets.unlock}</Button>}
            <Button onClick={() => setOpen("keep")}>{t.secrets.change}</Button>
          </div>
        </>
      )}
      <div role="status" className={css.soft}>
        {/* A keychain may think about it, or ask the person, for a while. */}
        {busy && !secrets && <p>{t.secrets.asking}…</p>}
        {change && change.moved > 0 && <p>{t.secrets.cameAlong(change.moved)}</p>}
        {change?.aside !== undefined && (
          <p>
            {t.secrets.aside} <code>{visible(change.aside)}</code>
          </p>
        )}
        {change && change.left.length > 0 && <p>{t.secrets.stayed(change.left.map(oneLine).join(", "))}</p>}
      </div>
      {error && (
        <>
          <ErrorNote error={error} />
          <div>
            <Button onClick={() => setRound((n) => n + 1)}>{t.app.retry}</Button>
          </div>
        </>
      )}
      {open === "unlock" && <UnlockDialog onClose={close} />}
      {open === "keep" && secrets && (
        <KeepDialog
          place={secrets.place}
          noKeychain={secrets.noKeychain === true}
          idle={locked ? secrets.file : secrets.unused}
          onClose={close}
          onMoved={(moved) => {
            setSecrets(moved.secrets);
            setChange(moved);
          }}
        />
      )}
    </Section>
  );
}
