import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode, RefObject } from "react";

import { useModalKeys } from "../actions/registry";
import css from "./Dialog.module.css";
import { useOpener } from "./useOpener";

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** The buttons, the safest last. */
  actions?: ReactNode;
  /** What has the focus at first; else the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
}

/** A dialog: focus stays inside and goes back after it, Escape closes, and no key reaches what lies behind. */
export function Dialog({ open, onClose, title, children, actions, initialFocus }: Props) {
  useModalKeys(open);
  const finalFocus = useOpener(open);
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Popup className={css.popup} initialFocus={initialFocus} finalFocus={finalFocus}>
          <Base.Title className={css.title}>{title}</Base.Title>
          <div className={css.body}>{children}</div>
          {actions !== undefined && <div className={css.actions}>{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
