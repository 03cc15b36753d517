import { useFormatting } from "../../components/RichText";
import { t } from "../../strings";
import { Choice } from "./Choice";

/** Whether texts with formatting show it at first. */
export function FormattingSetting() {
  const [shown, put] = useFormatting();
  return <Choice label={t.settings.formatting} hint={t.settings.formattingHint} checked={shown ?? false} onChange={shown === undefined ? undefined : put} />;
}
