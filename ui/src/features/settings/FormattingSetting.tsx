import { useFormatting } from "../../components/RichText";
import { ErrorNote } from "../../components/States";
import { t } from "../../strings";
import { Choice } from "./Choice";

/** Whether texts with formatting show it at first. */
export function FormattingSetting() {
  const [shown, put, saving] = useFormatting();
  return (
    <>
      <Choice label={t.settings.formatting} hint={t.settings.formattingHint} checked={shown ?? false} onChange={shown === undefined ? undefined : put} />
      {saving?.error && <ErrorNote error={saving.error} title={t.settings.notKept} />}
    </>
  );
}
