import type { ReactNode } from "react";

import { Details } from "../../components/Details";
import type { Rows } from "../../store/page";
import { t } from "../../strings";
import type { ApiError } from "../../types";
import css from "./HowFar.module.css";

interface Props {
  /** The list; none before anything of it is known. */
  rows: Pick<Rows<unknown>, "complete" | "fault"> | undefined;
  /** How many there are, where the bar says that. */
  children?: ReactNode;
}

/** What the bar above a list says of how far it has come: how many rows it has, that it still grows, or why it stays as it is. */
export function HowFar({ rows, children }: Props) {
  if (rows === undefined) return null;
  const { complete, fault } = rows;
  if (fault !== undefined) {
    return (
      <>
        {children}
        <NotLooked fault={fault} />
      </>
    );
  }
  return complete ? children : <span className={css.looking}>{t.filter.looking}</span>;
}

/** The desk tries again by itself, so that there is no button here: only what keeps it from looking can be done away with. */
function NotLooked({ fault: { code, message } }: { fault: ApiError }) {
  const { notLooked, tryAgain, anyway } = t.filter;
  return (
    <div className={css.fault} role="status">
      <p>
        {notLooked} {tryAgain[code] ?? anyway}
      </p>
      <Details text={message} />
    </div>
  );
}
