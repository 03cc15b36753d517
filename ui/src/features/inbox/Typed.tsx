import { ArgumentRows } from "../../components/ArgumentRows";
import { CopyButton } from "../../components/CopyButton";
import { Section } from "../../components/Section";
import { ms } from "../../format/time";
import { contentOf } from "../../forms";
import { t } from "../../strings";
import type { RequestDetail } from "../../types";
import { NO_SCHEMA, useDraft } from "./drafts";
import css from "./inbox.module.css";

/** What was typed into a question that ended without it. Read-only, and never thrown away unseen. */
export function Typed({ detail }: { detail: RequestDetail }) {
  const spec = detail.form ?? NO_SCHEMA;
  const { draft, typedAt, restored } = useDraft(detail, spec);
  if (!restored && typedAt === undefined) return null;
  // What was sent is in the receipt. Only what was typed after it is still unsent.
  const sentAt = detail.row.answer?.sentAt;
  if (sentAt !== undefined && (typedAt === undefined || typedAt < ms(sentAt))) return null;
  const { content, errors } = contentOf(spec, draft);
  // What is no value yet is in no content: then the texts stand as they were typed.
  const typed = draft.tab === "json" ? draft.json : JSON.stringify(Object.fromEntries(draft.value));
  const shown = errors.length === 0 ? content : typed;
  return (
    <Section title={t.inbox.typed}>
      <div className={css.identity}>
        <ArgumentRows json={shown} />
      </div>
      <div className={css.typedTools}>
        <CopyButton text={shown} />
        <span className={css.quiet}>{t.inbox.typedMeans}</span>
      </div>
    </Section>
  );
}
