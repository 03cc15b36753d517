import { useId, useLayoutEffect, useRef } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { t } from "../../strings";
import { COLUMNS, fitting, isSized, NARROWEST, NO_WIDTHS, readColumns, usualAt, WIDEST, type Column } from "./columns";
import css from "./ColumnsDialog.module.css";
import { withWidth, type ShownList } from "./shown";

interface Props {
  shown: ShownList;
  /** How wide the list is, in px; 0 where that is not known. */
  width?: number;
  onShown: (shown: ShownList) => void;
  onClose: () => void;
}

/** Which columns the rows have, in which order, and how high they are. It holds at once. */
export function ColumnsDialog({ shown, width = 0, onShown, onClose }: Props) {
  const words = t.tasks.layout;
  const chosen = shown.columns ?? usualAt(width, shown.widths);
  const fit = fitting(chosen, width, shown.widths ?? NO_WIDTHS);
  const noRoom = useId();
  const others = (Object.keys(COLUMNS) as Column[]).filter((column) => !chosen.includes(column));
  const list = useRef<HTMLUListElement>(null);
  const pressed = useRef<{ column: Column; by: 1 | -1 }>(undefined);
  useLayoutEffect(() => {
    if (pressed.current === undefined) return;
    // A row that moves loses the focus in some engines; at an end its button cannot be pressed any more.
    const { column, by } = pressed.current;
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>(`[data-column="${column}"] button`) ?? [])];
    if (by > 0) buttons.reverse();
    buttons.find((button) => !button.disabled)?.focus();
    pressed.current = undefined;
  }, [chosen]);
  const put = (columns: readonly Column[]) => {
    const { columns: _, ...rest } = shown;
    const read = readColumns(columns);
    onShown({ ...rest, ...(read && { columns: read }) });
  };
  const usual = () => {
    const { columns: _, widths: __, ...rest } = shown;
    onShown(rest);
  };
  const move = (column: Column, by: 1 | -1) => {
    const at = chosen.indexOf(column);
    const moved = chosen.filter((other) => other !== column);
    moved.splice(at + by, 0, column);
    pressed.current = { column, by };
    put(moved);
  };
  const dense = (isCompact: boolean) => {
    const { compact: _, ...rest } = shown;
    onShown({ ...rest, ...(isCompact && { compact: true as const }) });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      actions={
        <>
          <Button disabled={shown.columns === undefined && shown.widths === undefined} onClick={usual}>
            {words.usual}
          </Button>
          <Button onClick={onClose}>{t.app.close}</Button>
        </>
      }
    >
      <p className={css.hint}>{words.hint}</p>
      <ul ref={list} className={css.columns} aria-label={words.title}>
        {[...chosen, ...others].map((column) => {
          const at = chosen.indexOf(column);
          const hasRoom = at < 0 || fit.includes(column);
          const name = t.tasks.columns[column];
          return (
            <li key={column} className={css.column} data-column={column}>
              <label className={css.name}>
                <input
                  type="checkbox"
                  checked={at >= 0}
                  disabled={column === "tool"}
                  aria-describedby={hasRoom ? undefined : noRoom + column}
                  onChange={() => put(at >= 0 ? chosen.filter((other) => other !== column) : [...chosen, column])}
                />
                {name}
              </label>
              {!hasRoom && (
                <span id={noRoom + column} className={css.hint}>
                  {words.noRoom}
                </span>
              )}
              {at >= 0 && isSized(column) && <Width label={words.width(name)} px={shown.widths?.[column]} onWidth={(px) => onShown(withWidth(shown, column, px))} />}
              {at >= 0 && (
                <>
                  <Button look="quiet" aria-label={words.before(name)} title={words.before(name)} disabled={at === 0} onClick={() => move(column, -1)}>
                    ↑
                  </Button>
                  <Button look="quiet" aria-label={words.behind(name)} title={words.behind(name)} disabled={at === chosen.length - 1} onClick={() => move(column, 1)}>
                    ↓
                  </Button>
                </>
              )}
            </li>
          );
        })}
      </ul>
      <label className={css.name}>
        <input type="checkbox" checked={shown.compact === true} onChange={(event) => dense(event.target.checked)} />
        {words.compact}
      </label>
    </Dialog>
  );
}

/** How wide a column is, in px; empty where it is as it usually is. It holds once it is finished: half a number is none. */
function Width({ label, px, onWidth }: { label: string; px: number | undefined; onWidth: (px: number | undefined) => void }) {
  const take = ({ value, valueAsNumber }: HTMLInputElement) => {
    if (value === "") onWidth(undefined);
    else if (Number.isFinite(valueAsNumber)) onWidth(valueAsNumber);
  };
  return (
    <input
      key={px}
      type="number"
      className={css.width}
      aria-label={label}
      title={label}
      placeholder={t.tasks.layout.usualWidth}
      min={NARROWEST}
      max={WIDEST}
      step={4}
      defaultValue={px}
      onBlur={(event) => take(event.currentTarget)}
      onKeyDown={(event) => {
        if (event.key === "Enter") take(event.currentTarget);
      }}
    />
  );
}
