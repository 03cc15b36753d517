import { useLayoutEffect, useRef, useState } from "react";

import { Chip } from "../../components/Chip";
import { TokenField } from "../../components/TokenField";
import type { Sought } from "../../places/nav";
import { t } from "../../strings";
import type { ListOf, Offer } from "../../types";
import { FilterHelp } from "./FilterHelp";
import type { OnlyServer } from "./onlyServer";
import { begunAt, finishedAtEnd, isToken, tokensOf, withoutTokenAt } from "./tokens";
import { useOffers } from "./useOffers";

interface Props {
  list: ListOf;
  label: string;
  typed: Sought;
  onTyped: (typed: Sought) => void;
  /** What was typed since somebody asked for it, before it was here: it has the focus then, and typing goes on. */
  sought?: Sought | undefined;
  /** The server whose rows alone are listed. */
  only: OnlyServer | undefined;
  /** Why what is typed cannot be read. */
  fault: string | undefined;
}

/** Narrows a list by tokens and words, and says what may be meant. */
export function FilterField({ list, label, typed: { tokens, text }, onTyped, sought, only, fault }: Props) {
  const [open, setOpen] = useState(false);
  const [caret, setCaret] = useState(text.length);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const input = field.current;
    if (sought === undefined || input === null) return;
    input.focus();
    // What stood there before gives way to what is typed next.
    if (sought.text === "") input.select();
    else input.setSelectionRange(input.value.length, input.value.length);
  }, [sought]);
  // What is finished is not what is being typed.
  const before = tokens.map((token) => `${token} `).join("") + text.slice(0, caret);
  const { offers, isOfNow } = useOffers({ list, within: only?.within ?? "", before, after: text.slice(caret) }, open);
  const type = (typed: Sought, at: number) => {
    onTyped(typed);
    setCaret(at);
  };
  const take = (offer: Offer) => {
    const fresh = tokensOf(offer.text).filter((token) => !tokens.includes(token));
    const rest = withoutTokenAt(text, caret);
    type({ tokens: [...tokens, ...fresh], text: rest }, rest.length);
  };
  const put = (token: string) => {
    const rest = isToken(token) ? text : [text.trimEnd(), token].filter(Boolean).join(" ");
    const isNew = isToken(token) && !tokens.includes(token);
    type({ tokens: isNew ? [...tokens, token] : tokens, text: rest }, rest.length);
  };
  const drop = ({ onDrop }: OnlyServer) => {
    onDrop();
    field.current?.focus();
  };
  return (
    <TokenField
      label={label}
      tokens={tokens}
      text={text}
      onType={type}
      open={open}
      onOpen={setOpen}
      offers={offers}
      begun={isOfNow ? begunAt(text, caret, offers) : undefined}
      onOffer={take}
      fault={fault}
      finishedAtEnd={finishedAtEnd}
      field={field}
      end={<FilterHelp list={list} onPut={put} field={field} />}
    >
      {only !== undefined && <Chip text={only.name} label={t.filter.allServers[list](only.name)} onDrop={() => drop(only)} />}
    </TokenField>
  );
}
