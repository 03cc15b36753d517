import { useRef, type KeyboardEvent } from "react";

import { runAction, useAction } from "../actions/registry";
import { standIn } from "./focus";
import css from "./SearchField.module.css";

interface Props {
  label: string;
  text: string;
  onText: (text: string) => void;
}

/**
 * Narrows the list below it. Enter and the down arrow go on into the list; Escape clears the text, and then leaves. It is no field of
 * type "search": WebKit for GTK draws that one's parts from pictures, each of which is a page of its own, and takes megabytes for them.
 */
export function SearchField({ label, text, onText }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useAction("search", () => {
    field.current?.focus();
    field.current?.select();
  });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      if (text === "") standIn(event.currentTarget.closest("[data-pane]"))?.focus();
      onText("");
    } else if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      runAction("list.enter");
    }
  };
  return (
    <input
      ref={field}
      type="text"
      role="searchbox"
      className={css.search}
      aria-label={label}
      placeholder={label}
      maxLength={200}
      spellCheck={false}
      value={text}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
