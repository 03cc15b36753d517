import { Dialog as Base } from "@base-ui/react/dialog";
import { useRef, type ReactNode, type RefObject } from "react";

import { useModalKeys } from "../actions/registry";
import css from "./Dialog.module.css";
import { useOpener } from "./useOpener";

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  /** As wide as what stands in it wants, where there is room. */
  wide?: boolean;
  /** Without a frame of its own round what stands in it, and high up in the window. Its title is heard, and not seen. */
  bare?: boolean;
  children: ReactNode;
  /** The buttons, the harmless one last: it has the focus at first, so that Enter destroys nothing. */
  actions?: ReactNode;
  /** What has the focus at first in its place. A dialog with something to fill in begins with that. */
  initialFocus?: RefObject<HTMLElement | null>;
}

const FIELD = "input:enabled, select:enabled, textarea:enabled";
const BUTTON = "[data-actions] button:enabled";

/** A dialog: focus stays inside and goes back after it, Escape closes, and no key reaches what lies behind. */
export function Dialog({ open, onClose, title, wide = false, bare = false, children, actions, initialFocus }: Props) {
  useModalKeys(open);
  const finalFocus = useOpener(open);
  const popup = useRef<HTMLDivElement>(null);
  const harmless = () => {
    if (popup.current?.querySelector(FIELD)) return true;
    return [...(popup.current?.querySelectorAll<HTMLElement>(BUTTON) ?? [])].at(-1) ?? true;
  };
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Popup ref={popup} className={css.popup} data-wide={wide || undefined} data-bare={bare || undefined} initialFocus={initialFocus ?? harmless} finalFocus={finalFocus}>
          <Base.Title className={bare ? "unseen" : css.title}>{title}</Base.Title>
          {bare ? children : <div className={css.body}>{children}</div>}
          {actions !== undefined && <div className={css.actions} data-actions>{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
