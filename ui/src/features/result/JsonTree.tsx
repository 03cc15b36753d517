import { useId, useMemo, useState, type KeyboardEvent } from "react";

import { characters, cut, visible } from "../../format/text";
import { t } from "../../strings";
import css from "./JsonTree.module.css";
import { wholeOf, type Place } from "./level";
import { linesOf, MOST_LINES, openAtFirst, opens, PAGE, STRING, type Open, type TreeLine } from "./tree";

/** How much of a long string is shown once it is open, in characters. */
const OPEN_STRING = 20_000;
/** Deeper lines stand no further to the right. */
const DEEPEST = 24;

interface Props {
  json: string;
  label: string;
}

/** JSON as a tree. Numbers stay as written, and of very many children some are shown at a time. */
export function JsonTree({ json, label }: Props) {
  const root = useMemo(() => wholeOf(json), [json]);
  return root && <Tree key={json.length} json={json} root={root} label={label} />;
}

function Tree({ json, root, label }: Props & { root: Place }) {
  const id = useId();
  const [open, setOpen] = useState<Open>(() => openAtFirst(json, root));
  const [active, setActive] = useState(0);
  const lines = useMemo(() => linesOf(json, root, open), [json, root, open]);
  const at = Math.min(active, lines.length - 1);
  const itemId = (line: TreeLine) => `${id}-${line.id}`;

  const go = (to: number) => {
    const line = lines[to];
    if (!line) return;
    setActive(to);
    document.getElementById(itemId(line))?.scrollIntoView({ block: "nearest" });
  };
  const set = (start: number, shown: number | undefined) => {
    const next = new Map(open);
    if (shown === undefined) next.delete(start);
    else next.set(start, shown);
    setOpen(next);
  };
  const press = (line: TreeLine) => {
    const over = line.left === undefined ? line.value : lines[line.parent]?.value;
    if (!over) return;
    if (line.left !== undefined) set(over.start, (open.get(over.start) ?? 0) + PAGE);
    else if (opens(over, line.size)) set(over.start, line.open ? undefined : PAGE);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const line = lines[at];
    if (!line) return;
    const keys: Partial<Record<string, () => void>> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(lines.length - 1),
      ArrowRight: () => (line.open ? go(at + 1) : line.left === undefined && press(line)),
      ArrowLeft: () => (line.open ? press(line) : go(line.parent)),
      Enter: () => press(line),
      " ": () => press(line),
    };
    const run = event.altKey || event.ctrlKey || event.metaKey ? undefined : keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  };

  const current = lines[at];
  return (
    <>
      <div className={css.tree} data-text="" role="tree" aria-label={label} tabIndex={0} aria-activedescendant={current && itemId(current)} onKeyDown={onKeyDown}>
        {lines.map((line, index) => (
          // Keys are handled by the tree, which has the focus.
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={line.id}
            id={itemId(line)}
            role="treeitem"
            aria-level={line.level}
            aria-posinset={line.place}
            aria-setsize={line.of}
            aria-selected={index === at}
            aria-expanded={line.value && opens(line.value, line.size) ? line.open : undefined}
            className={css.line}
            style={{ paddingInlineStart: 8 + 16 * (Math.min(line.level, DEEPEST) - 1) }}
            onClick={() => {
              setActive(index);
              press(line);
            }}
          >
            <Shown json={json} line={line} />
          </div>
        ))}
      </div>
      {lines.length >= MOST_LINES && <p className={css.news}>{t.result.fullTree(MOST_LINES)}</p>}
    </>
  );
}

function Shown({ json, line }: { json: string; line: TreeLine }) {
  const { value, size, open, left } = line;
  if (left !== undefined) return <span className={css.more}>{t.result.moreChildren(left)}</span>;
  if (!value) return null;
  const canOpen = opens(value, size);
  return (
    <>
      <span className={css.mark} aria-hidden="true">
        {canOpen ? (open ? "▾" : "▸") : ""}
      </span>
      <span className={css.body} translate="no">
        {line.value?.name !== undefined && (
          <>
            <bdi dir="ltr" className={css.name}>
              {visible(cut(JSON.stringify(line.value.name), 200))}
            </bdi>
            {": "}
          </>
        )}
        {line.index !== undefined && <span className={css.index}>{line.index}: </span>}
        <Value json={json} line={line} value={value} />
      </span>
    </>
  );
}

function Value({ json, line, value }: { json: string; line: TreeLine; value: Place }) {
  if (value.kind === "object" || value.kind === "array") {
    const [begin, end] = value.kind === "object" ? ["{", "}"] : ["[", "]"];
    if (line.size === 0) return <span>{begin + end}</span>;
    const words = value.kind === "object" ? t.result.members(line.size) : t.result.elements(line.size);
    return (
      <span>
        {line.open ? begin : `${begin}…${end}`} <span className={css.index}>{words}</span>
      </span>
    );
  }
  const written = json.slice(value.start, value.end);
  const shown = cut(written, line.open ? OPEN_STRING : STRING);
  return (
    <>
      <bdi dir="ltr" className={value.kind === "string" ? css.string : css.other}>
        {visible(shown)}
      </bdi>
      {shown.length < written.length && <span className={css.index}>{t.result.moreCharacters(characters(written) - characters(shown))}</span>}
    </>
  );
}
