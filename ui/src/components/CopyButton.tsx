import { useEffect, useState } from "react";

import { useHost } from "../host/context";
import { t } from "../strings";
import { Button } from "./Button";
import css from "./CopyButton.module.css";

interface Props {
  /** The text, or how it is had. */
  text: string | (() => Promise<string>);
  label?: string;
  /** `plain` is a button like others. */
  look?: "small" | "plain";
  /** Whether it begins a line: then its words, and not the room around them, stand in line with what is above. */
  leads?: boolean;
}

/** Copies a text, and says for a moment that it did. */
export function CopyButton({ text, label, look = "small", leads = false }: Props) {
  const host = useHost();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    (typeof text === "string" ? host.copy(text) : text().then((whole) => host.copy(whole))).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  const words = copied ? t.app.copied : (label ?? t.app.copy);
  if (look === "plain") {
    return (
      <Button onClick={() => void copy()} aria-live="polite">
        {words}
      </Button>
    );
  }
  return (
    <button type="button" className={leads ? `${css.copy} ${css.leads}` : css.copy} onClick={() => void copy()} aria-live="polite">
      {words}
    </button>
  );
}
