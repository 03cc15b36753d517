import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from "react";

import { runAction, useAction } from "../actions/registry";
import { t } from "../strings";
import type { Offer } from "../types";
import { Chips } from "./Chip";
import { standIn } from "./focus";
import css from "./TokenField.module.css";
import { TokenOffers } from "./TokenOffers";

interface Props {
  label: string;
  /** Tokens that are finished, each a chip. */
  tokens: readonly string[];
  /** What is typed behind them. */
  text: string;
  /** Takes both as they are then, and where the caret stands in the text. */
  onType: (typed: { tokens: readonly string[]; text: string }, caret: number) => void;
  /** Whether it is looked at what is offered. */
  open: boolean;
  onOpen: (open: boolean) => void;
  offers: readonly Offer[];
  /** The offer that stands chosen before anybody chooses: Enter must not leave behind the mere beginning of it. */
  begun: Offer | undefined;
  /** Takes an offer in the place of what is being typed. */
  onOffer: (offer: Offer) => void;
  /** Why what is typed cannot be read. */
  fault: string | undefined;
  /** The token that the blank at the end of a text has just finished, and what stands before it. */
  finishedAtEnd: (text: string) => { token: string; before: string } | undefined;
  /** The field itself, for whoever gives it the focus. */
  field: RefObject<HTMLInputElement | null>;
  /** What stands before the tokens and is none. */
  children?: ReactNode;
  /** What stands behind the text. */
  end?: ReactNode;
}

/**
 * Narrows the list below it, by tokens and words. The arrows choose among what may be meant, and the only one that is begun stands
 * chosen; Enter takes it, or goes on into the list. Escape closes what is offered, then clears the text, and then leaves; with nothing
 * typed it leaves at once. Backspace before all else takes the last chip back.
 */
export function TokenField(props: Props) {
  const { label, tokens, text, onType, open, onOpen, offers, begun, onOffer, fault, finishedAtEnd, field, children, end } = props;
  const id = useId();
  const [chosen, setChosen] = useState(-1);
  const chips = useRef<HTMLDivElement>(null);
  const before = useRef(0);
  // The last one, which was just typed, is in sight.
  useLayoutEffect(() => {
    if (chips.current && tokens.length > before.current) chips.current.scrollLeft = chips.current.scrollWidth;
    before.current = tokens.length;
  }, [tokens]);
  const shown = open ? offers : [];
  const at = chosen < 0 && begun !== undefined ? shown.indexOf(begun) : Math.min(chosen, shown.length - 1);
  useAction("search", () => {
    field.current?.focus();
    field.current?.select();
  });

  const close = () => {
    onOpen(false);
    setChosen(-1);
  };
  const take = (offer: Offer) => {
    onOffer(offer);
    setChosen(-1);
    field.current?.focus();
  };
  const type = (input: HTMLInputElement) => {
    const { value, selectionStart } = input;
    onOpen(true);
    setChosen(-1);
    // A token that is finished becomes a chip, and what stands before it stays as it was typed.
    const finished = selectionStart === value.length ? finishedAtEnd(value) : undefined;
    if (finished === undefined) onType({ tokens, text: value }, selectionStart ?? value.length);
    else onType({ tokens: [...tokens, finished.token], text: finished.before }, finished.before.length);
  };
  const keys: Partial<Record<string, (input: HTMLInputElement) => boolean>> = {
    ArrowDown: () => {
      if (shown.length === 0) return (runAction("list.enter"), true);
      setChosen((at + 1) % shown.length);
      return true;
    },
    ArrowUp: () => {
      if (shown.length === 0) return false;
      setChosen(at <= 0 ? shown.length - 1 : at - 1);
      return true;
    },
    Enter: () => {
      const offer = shown[at];
      if (offer) take(offer);
      else {
        close();
        runAction("list.enter");
      }
      return true;
    },
    Escape: (input) => {
      const clears = shown.length === 0 && text !== "";
      // Nothing opens where somebody clears.
      close();
      if (clears) onType({ tokens, text: "" }, 0);
      else if (text === "") standIn(input.closest("[data-pane]"))?.focus();
      return true;
    },
    Backspace: (input) => {
      const last = tokens.at(-1);
      if (last === undefined || input.selectionStart !== 0 || input.selectionEnd !== 0) return false;
      onType({ tokens: tokens.slice(0, -1), text: text === "" ? last : `${last} ${text}` }, last.length);
      return true;
    },
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (keys[event.key]?.(event.currentTarget)) event.preventDefault();
  };

  return (
    <div className={css.field}>
      <div ref={chips} className={css.chips}>
        {children}
        <Chips
          texts={tokens}
          label={t.filter.drop}
          onDrop={(dropped) => {
            onType({ tokens: tokens.filter((_, index) => index !== dropped), text }, text.length);
            field.current?.focus();
          }}
        />
      </div>
      <span className={css.last}>
        <input
          ref={field}
          type="text"
          role="combobox"
          className={css.input}
          aria-label={label}
          aria-expanded={shown.length > 0}
          aria-controls={`${id}-offers`}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
          aria-invalid={fault === undefined ? undefined : true}
          aria-describedby={fault === undefined ? undefined : `${id}-fault`}
          placeholder={tokens.length === 0 ? label : ""}
          maxLength={1_000}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => type(event.currentTarget)}
          onFocus={() => onOpen(true)}
          onBlur={close}
          onKeyDown={onKeyDown}
        />
        {end}
      </span>
      <TokenOffers id={id} offers={shown} chosen={at} onTake={take} fault={fault} />
    </div>
  );
}
