import { useState } from "react";

import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { Section } from "../../components/Section";
import { ErrorNote } from "../../components/States";
import { visible } from "../../format/text";
import { useHost } from "../../host/context";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import css from "./Settings.module.css";

/** Copies a text for a bug report, and shows it: nobody should pass on what they have not seen. */
export function Diagnostics() {
  const host = useHost();
  const act = useAct();
  const [made, setMade] = useState<{ text: string; copied: boolean }>();
  const copy = async () => {
    setMade(undefined);
    const reply = await act.run({ type: "diagnostics" });
    if (!reply) return;
    const { text } = reply;
    const copied = await host.copy(text).then(
      () => true,
      () => false,
    );
    setMade({ text, copied });
  };
  return (
    <Section title={t.settings.diagnostics}>
      <p className={css.soft}>{t.settings.diagnosticsHint}</p>
      <div>
        <Button disabled={act.busy} onClick={() => void copy()}>
          {t.settings.copyDiagnostics}
        </Button>
      </div>
      {act.error && <ErrorNote error={act.error} />}
      <div className={css.text}>
        <p role="status">{made && (made.copied ? t.settings.copied : t.settings.notCopied)}</p>
        {made && (
          // A scrolling region must be reachable by keyboard.
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          <pre tabIndex={0}>{visible(made.text)}</pre>
        )}
        {made && !made.copied && <CopyButton text={made.text} leads />}
      </div>
    </Section>
  );
}
