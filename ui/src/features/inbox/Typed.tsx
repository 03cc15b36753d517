import { ArgumentRows } from "../../components/ArgumentRows";
import { CopyButton } from "../../components/CopyButton";
import { Section } from "../../components/Section";
import { ms } from "../../format/time";
import { draftOf, newDraft, typedIn } from "../../forms";
import { withoutSecrets } from "../../forms/kept";
import { t } from "../../strings";
import type { RequestDetail } from "../../types";
import { NO_SCHEMA, useDraft } from "./drafts";
import css from "./inbox.module.css";
import { keptContent } from "./words";

/** What was typed into a question that ended without it. Read-only, and never thrown away unseen. */
export function Typed({ detail }: { detail: RequestDetail }) {
  const spec = detail.form ?? NO_SCHEMA;
  const { draft, typedAt, restored } = useDraft(detail, spec);
  if (!restored && typedAt === undefined) return null;
  // What was sent is in the receipt. Only what was typed after it is still unsent.
  const sentAt = detail.row.answer?.sentAt;
  if (sentAt !== undefined && (typedAt === undefined || typedAt < ms(sentAt))) return null;
  // The form opened with what was sent before, else with its defaults: nobody has typed that.
  const sent = sentAt === undefined ? undefined : keptContent(detail.row.answer);
  const shown = typedIn(spec, withoutSecrets(draft), sent === undefined ? newDraft(spec) : draftOf(spec, sent));
  if (shown === undefined) return null;
  return (
    <Section title={t.inbox.typed}>
      <div className={css.identity}>
        <ArgumentRows json={shown} />
      </div>
      <div className={css.typedTools}>
        <CopyButton text={shown} leads />
        <span className={css.quiet}>{t.inbox.typedMeans}</span>
      </div>
    </Section>
  );
}
