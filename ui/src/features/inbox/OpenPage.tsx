import type { KeyboardEvent } from "react";

import { Button } from "../../components/Button";
import { ending, visible } from "../../format/text";
import { t } from "../../strings";
import type { RequestDetail } from "../../types";
import css from "./inbox.module.css";
import { Sentence } from "./Sentence";
import type { PageOpening } from "./usePage";

interface Props {
  detail: RequestDetail;
  look: "primary" | "plain";
  disabled: boolean;
  page: PageOpening;
}

/** Says where it leads. It has no key of its own: only a click, or Enter on it, opens a page. */
export function OpenPage({ detail: { url }, look, disabled, page }: Props) {
  const host = visible(ending(url?.host ?? "", 60));
  return (
    <Button look={look} className={css.open} disabled={disabled || url?.web !== true} onClick={page.open} onKeyDown={once}>
      {page.visited ? (
        t.inbox.url.again
      ) : host === "" ? (
        t.inbox.url.openPage
      ) : (
        <Sentence text={t.inbox.url.open} part={<bdi translate="no">{host}</bdi>} />
      )}
    </Button>
  );
}

/** A key that is still held from elsewhere must not press it. */
export function once(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}
