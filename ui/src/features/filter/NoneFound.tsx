import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { EmptyState } from "../../components/States";
import type { Rows } from "../../store/page";
import { t } from "../../strings";

interface Props {
  rows: Pick<Rows<unknown>, "complete" | "fault"> | undefined;
  /** That nothing is as the filter says. */
  title: string;
  /** Lists all rows again; none where all are listed. */
  onClear: (() => void) | undefined;
  /** What is shown where there is nothing at all. */
  children: ReactNode;
}

/** In the place of a list without rows. That nothing matches is said only once everything was looked through. */
export function NoneFound({ rows, title, onClear, children }: Props) {
  const fault = rows?.fault;
  if (rows?.complete === false && fault === undefined) return <EmptyState title={t.filter.looking} hint={t.filter.lookingHint} />;
  if (onClear === undefined) return children;
  return (
    <EmptyState title={fault === undefined ? title : t.filter.noneWithoutTexts} hint={t.filter.noMatch}>
      <Button onClick={onClear}>{t.filter.clear}</Button>
    </EmptyState>
  );
}
