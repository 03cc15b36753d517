import { useId, useState, type KeyboardEvent, type Ref } from "react";

import field from "../../components/Field.module.css";
import { TokenOffers } from "../../components/TokenOffers";
import type { Offer } from "../../types";
import { useOffers } from "../filter/useOffers";
import css from "./Own.module.css";
import { tokenOf } from "./Tags";

interface Props {
  label: string;
  text: string;
  onText: (text: string) => void;
  /** Takes what was typed or chosen: one tag, or several with blanks between them. */
  onTake: (text: string) => void;
  /** What Enter does where no tag that is offered is chosen; without it, what was typed is taken. */
  onEnter?: () => void;
  fieldRef?: Ref<HTMLInputElement>;
}

const PREFIX = tokenOf("");

/** Where a tag is typed. What other tasks have is offered; the arrows choose, and Enter takes it. */
export function TagField({ label, text, onText, onTake, onEnter, fieldRef }: Props) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const typed = text.split(/\s/).at(-1) ?? "";
  const { offers } = useOffers({ list: "tasks", within: "", before: PREFIX + typed, after: "" }, open);
  const known = open ? offers.filter((offer) => offer.text.startsWith(PREFIX)).map((offer): Offer => ({ ...offer, text: offer.text.slice(PREFIX.length) })) : [];
  const at = Math.min(chosen, known.length - 1);
  const close = () => {
    setOpen(false);
    setChosen(-1);
  };
  const take = (taken: string) => {
    close();
    if (taken.trim() !== "") onTake(taken.trim());
  };
  const withOffer = (offer: Offer) => [...text.split(/\s/).slice(0, -1), offer.text].join(" ");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    const offer = known[at];
    if (step !== undefined && known.length > 0) setChosen((Math.max(at, step < 0 ? 0 : -1) + step + known.length) % known.length);
    else if (event.key === "Enter" && onEnter && !offer) onEnter();
    else if (event.key === "Enter") take(offer ? withOffer(offer) : text);
    else if (event.key === "Escape" && known.length > 0) close();
    else return;
    event.preventDefault();
  };
  return (
    <span className={css.field}>
      <input
        ref={fieldRef}
        type="text"
        role="combobox"
        className={field.input}
        aria-label={label}
        aria-expanded={known.length > 0}
        aria-controls={`${id}-offers`}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        placeholder={label}
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={({ target }) => {
          setOpen(true);
          setChosen(-1);
          onText(target.value);
        }}
        onFocus={() => setOpen(true)}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <TokenOffers id={id} offers={known} chosen={at} onTake={(offer) => take(withOffer(offer))} fault={undefined} />
    </span>
  );
}
