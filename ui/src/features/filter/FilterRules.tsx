import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { t } from "../../strings";
import type { ListOf } from "../../types";
import css from "./FilterHelp.module.css";
import { Language } from "./Language";

interface Props {
  open: boolean;
  onClose: () => void;
  list: ListOf;
  /** Takes a token into the filter, or the beginning of one. */
  onPut: (token: string) => void;
}

/** How filters are written. */
export function FilterRules({ open, onClose, list, onPut }: Props) {
  const { title, rules } = t.filter.help;
  return (
    <Dialog open={open} onClose={onClose} title={title} actions={<Button onClick={onClose}>{t.app.close}</Button>}>
      <dl className={css.rules}>
        {rules.map(([token, says]) => (
          <div key={token} className={css.rule}>
            <dt>
              <code>{token}</code>
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
      <Language list={list} onPut={onPut} />
    </Dialog>
  );
}
