import { useEffect, useId, useState, type KeyboardEvent } from "react";

import { ErrorNote } from "../../components/States";
import { t } from "../../strings";
import type { OwnEntry, PaletteEntry, PaletteItem, ServerId, ServerView } from "../../types";
import { ActionKeys } from "./ActionKeys";
import css from "./Palette.module.css";
import { PaletteLine } from "./PaletteLine";
import { keyOf, useFound } from "./useFound";

type GroupName = keyof typeof t.palette.groups;

interface Props {
  own: OwnEntry[];
  servers: readonly ServerView[];
  /** Takes what was chosen. */
  onChoose: (item: PaletteItem) => void;
}

/** A field, and what is found. The keyboard stays in the field; the arrows choose, Enter goes there. */
export function Palette({ own, servers, onChoose }: Props) {
  const id = useId();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  // Enter came before the answer to what was typed: what stands there then was found for less.
  const [isAwaited, setAwaited] = useState(false);
  const { found, isCurrent, error, recent, remember } = useFound(text, own);
  const entries = found?.entries ?? [];
  const at = Math.min(chosen, entries.length - 1);
  const option = (index: number) => `${id}-${index}`;

  const choose = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    remember(entry.item);
    onChoose(entry.item);
  };
  const [first] = entries;
  const isDue = isAwaited && isCurrent;
  useEffect(() => {
    if (!isDue) return;
    // What follows closes this, which nothing may do while it is drawn.
    const due = setTimeout(() => {
      setAwaited(false);
      choose(first);
    });
    return () => clearTimeout(due);
  });
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [id, at]);

  const move = (by: number) => entries.length > 0 && setChosen((at + by + entries.length) % entries.length);
  const keys: Partial<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => (isCurrent ? choose(entries[at]) : setAwaited(true)),
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const type = (typed: string) => {
    setText(typed);
    setChosen(0);
    setAwaited(false);
  };

  return (
    <>
      <div className={css.bar}>
        <input
          type="text"
          role="combobox"
          className={css.field}
          aria-label={t.palette.field}
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-found`}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? option(at) : undefined}
          placeholder={t.palette.field}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <ActionKeys id="back" />
      </div>
      <div id={`${id}-found`} role="listbox" aria-label={t.palette.found} className={css.found} hidden={entries.length === 0}>
        {grouped(entries, recent).map(({ name, from, entries: own }) => (
          <div key={name} role="group" aria-labelledby={`${id}-${name}`}>
            <div role="presentation" id={`${id}-${name}`} className={css.head}>
              {t.palette.groups[name]}
            </div>
            {own.map((entry, index) => (
              // The keyboard stays in the field, which names the option it means.
              // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                key={keyOf(entry.item)}
                id={option(from + index)}
                role="option"
                aria-selected={from + index === at}
                className={css.line}
                // The field keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(entry)}
              >
                <PaletteLine
                  entry={entry}
                  server={servers.find(({ id }) => id === serverOf(entry.item))}
                  kind={name === "recent"}
                  isInHand={from + index === at}
                />
              </div>
            ))}
          </div>
        ))}
      </div>
      {error && <ErrorNote error={error} />}
      {found && entries.length === 0 && isCurrent && <p className={css.none}>{t.palette.none}</p>}
      {found && !found.complete && <p className={css.none}>{t.palette.reading}</p>}
      <p role="status" className="unseen">
        {found && isCurrent && (entries.length === 0 ? t.palette.none : t.palette.number(entries.length))}
      </p>
    </>
  );
}

/** The server whose lamp an entry shows: a tool starts only where its server is. */
function serverOf(item: PaletteItem): ServerId | undefined {
  if (item.kind === "tool") return item.server;
  return item.kind === "server" ? item.id : undefined;
}

/** The entries under heads, in the order in which they came: those of one kind stand together. */
function grouped(entries: readonly PaletteEntry[], recent: readonly PaletteItem[]): { name: GroupName; from: number; entries: PaletteEntry[] }[] {
  const lately = new Set(recent.map(keyOf));
  const groups: { name: GroupName; from: number; entries: PaletteEntry[] }[] = [];
  entries.forEach((entry, from) => {
    const name = lately.has(keyOf(entry.item)) ? "recent" : entry.item.kind;
    const last = groups.at(-1);
    if (last?.name === name) last.entries.push(entry);
    else groups.push({ name, from, entries: [entry] });
  });
  return groups;
}
