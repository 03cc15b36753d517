import { useEffect, useState } from "react";

import { useHost } from "../host/context";
import { t } from "../strings";
import css from "./CopyButton.module.css";

/** Copies a text, and says for a moment that it did. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const host = useHost();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    host.copy(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <button type="button" className={css.copy} onClick={() => void copy()} aria-live="polite">
      {copied ? t.app.copied : (label ?? t.app.copy)}
    </button>
  );
}
