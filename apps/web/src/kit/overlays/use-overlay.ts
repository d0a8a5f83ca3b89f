import { useEffect, useRef, useState } from 'react';

interface Opened {
  isModal: boolean;
  /** True from a press outside the overlay until the click that closes it. */
  isPressed?: boolean;
}

/** The open overlays, the latest last. Only the latest closes on Escape or a press outside it. */
const opened: Opened[] = [];

/**
 * Hides the page from screen readers while a dialog is open. The library itself would leave out
 * live regions, and with them their surroundings.
 */
function hidePage(): void {
  const page = document.getElementById('root');
  if (opened.some(({ isModal }) => isModal)) page?.setAttribute('aria-hidden', 'true');
  else page?.removeAttribute('aria-hidden');
}

interface OpenChange {
  reason: string;
  event: Event;
  cancel: () => void;
  allowPropagation: () => void;
}

interface Overlay {
  isOpen: boolean;
  /** True for an overlay that is outside the page and keeps the focus. */
  isModal: boolean;
  /** Closes the overlay; undefined while it must stay open. */
  onClose: (() => void) | undefined;
  /** True if the page moves the focus itself after closing. */
  disableRestoreFocus?: boolean | undefined;
}

/**
 * The library's `onOpenChange` for an overlay that its owner opens and closes. As soon as the overlay closes, the focus
 * returns to the element that had it before. The library itself would wait until the overlay has faded out.
 */
export function useOverlay({ isOpen, isModal, onClose, disableRestoreFocus = false }: Overlay) {
  const self = useRef<Opened>({ isModal }).current;
  useEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    opened.push(self);
    hidePage();
    return () => {
      opened.splice(opened.indexOf(self), 1);
      hidePage();
      if (!disableRestoreFocus && before instanceof HTMLElement) before.focus();
    };
  }, [isOpen, self, disableRestoreFocus]);
  const closeAtClick = () => {
    if (self.isPressed) return;
    self.isPressed = true;
    const press = new AbortController();
    const end = (closes: boolean) => {
      self.isPressed = false;
      press.abort();
      if (closes && opened.at(-1) === self) onClose?.();
    };
    document.addEventListener('click', () => end(true), press);
    // A touch that begins to scroll causes no click.
    document.addEventListener('pointercancel', () => end(false), press);
  };
  return (_isOpen: boolean, change: OpenChange) => {
    // Otherwise menus would close when a button of the mouse is pressed down, and the press would take the focus away.
    if (change.reason === 'outside-press' && change.event.type !== 'click') {
      change.cancel();
      if (opened.at(-1) === self) closeAtClick();
      return;
    }
    if (opened.at(-1) === self && change.reason !== 'focus-out') {
      onClose?.();
      return;
    }
    change.cancel();
    change.allowPropagation();
  };
}

/** The element at which an overlay is shown. While the overlay fades out, it is the last such element. */
export function useLastAnchor(anchor: HTMLElement | null): HTMLElement | null {
  const [last, setLast] = useState(anchor);
  if (anchor && anchor !== last) setLast(anchor);
  return anchor ?? last;
}
