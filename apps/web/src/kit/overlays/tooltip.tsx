import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

const MARGIN = 8;

/** Positions the tooltip below the element, or above if needed, and always inside the window. */
function place(tip: HTMLElement, around: DOMRect): void {
  const { width, height } = tip.getBoundingClientRect();
  const left = Math.min(around.left, window.innerWidth - width - MARGIN);
  const hasRoomBelow = around.bottom + height + MARGIN <= window.innerHeight;
  tip.style.left = `${Math.max(MARGIN, left)}px`;
  tip.style.top = `${Math.max(0, hasRoomBelow ? around.bottom : around.top - height)}px`;
}

interface TooltipProps {
  text: string;
  className?: string | undefined;
  /** Focusable elements inside must set the id as aria-describedby. */
  children: (explanationId: string) => ReactNode;
}

/**
 * Shows a tooltip while the content is hovered or focused. Uses the browser's top layer so that no
 * table clips it. Escape closes it, and so does Tab, because the next stop may be below the tooltip.
 */
export function Tooltip({ text, className, children }: TooltipProps) {
  const id = useId();
  const box = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isDismissed = useRef(false);
  useEffect(() => {
    if (!isOpen || !tip.current || !box.current) return;
    tip.current.showPopover();
    place(tip.current, box.current.getBoundingClientRect());
    const close = () => setOpen(false);
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') isDismissed.current = true;
      if (key === 'Escape' || key === 'Tab') close();
    };
    document.addEventListener('keydown', onKey);
    // The tooltip has a fixed position and would not follow the content.
    window.addEventListener('scroll', close, { capture: true, passive: true });
    const shown = tip.current;
    return () => {
      document.removeEventListener('keydown', onKey);
      window.removeEventListener('scroll', close, { capture: true });
      if (shown.isConnected) shown.hidePopover();
    };
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only shows a description, like a title
    <span
      ref={box}
      className={className ?? 'inline-flex min-w-0 max-w-full'}
      // An element that is scrolled under a still mouse gets this event without any movement.
      onMouseMove={({ movementX, movementY }) => {
        if (!isDismissed.current && (movementX !== 0 || movementY !== 0)) setOpen(true);
      }}
      onMouseLeave={() => {
        isDismissed.current = false;
        setOpen(false);
      }}
      onFocus={({ target }) => target.matches(':focus-visible') && setOpen(true)}
      onBlur={() => setOpen(false)}
    >
      {children(id)}
      <span
        ref={tip}
        id={id}
        role="tooltip"
        popover="manual"
        className="fixed inset-auto w-max max-w-[min(320px,calc(100vw-16px))] m-0 py-1.5 px-2.5 border-0 rounded-[6px] bg-text text-[#fff] type-caption text-start whitespace-normal wrap-anywhere"
      >
        {text}
      </span>
    </span>
  );
}
