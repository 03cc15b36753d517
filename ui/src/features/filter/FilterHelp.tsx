import { useEffect, useRef, useState, type RefObject } from "react";

import { laterDialog } from "../../components/later";
import { t } from "../../strings";
import type { ListOf } from "../../types";
import css from "./FilterHelp.module.css";

const FilterRules = laterDialog(async () => (await import("../seldom")).FilterRules);

interface Props {
  list: ListOf;
  /** Takes a token into the filter, or the beginning of one. */
  onPut: (token: string) => void;
  /** Has the focus once a token was put into it. */
  field: RefObject<HTMLInputElement | null>;
}

/** A button that tells how filters are written. */
export function FilterHelp({ list, onPut, field }: Props) {
  const [open, setOpen] = useState(false);
  const wasPut = useRef(false);
  useEffect(() => {
    // While the dialog is open nothing outside of it can have the focus.
    if (open || !wasPut.current) return;
    wasPut.current = false;
    field.current?.focus();
  }, [open, field]);
  const put = (token: string) => {
    wasPut.current = true;
    onPut(token);
    setOpen(false);
  };
  const { title } = t.filter.help;
  return (
    <>
      <button type="button" className={css.ask} aria-label={title} title={title} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        ?
      </button>
      <FilterRules open={open} onClose={() => setOpen(false)} list={list} onPut={put} />
    </>
  );
}
