import { Link } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { windowHasLinePanel } from '#platform/browser/use-is-phone.ts';
import { useIsLinePage, useLinePlace, useOpenLine } from './line-place.ts';

interface LineLinkProps {
  id: string;
  className?: string | undefined;
  title?: string | undefined;
  children: ReactNode;
}

/**
 * A link to a line, with its name. The line opens in the panel next to a list, or as a page in a new tab or a narrow
 * window.
 */
export function LineLink({ id, children, ...look }: LineLinkProps) {
  const { open } = useOpenLine();
  const isPage = useIsLinePage();
  const isOpen = useLinePlace().openId === id;
  const openBeside = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (!isPlain || event.altKey || isPage || !windowHasLinePanel()) return;
    event.preventDefault();
    // Opened by the keyboard, the panel gets the focus; after a click the list keeps it.
    if (event.detail === 0) requestLineFocus(id);
    void open(id);
  };
  return (
    <Link
      to="/users/$id"
      params={{ id }}
      {...look}
      data-line={id}
      data-open={isOpen || undefined}
      onClick={openBeside}
    >
      {children}
    </Link>
  );
}

const FOCUS_EVENT = 'line-focus';
/** The line whose panel shall get the focus. */
let wanted: string | null = null;

function forget(): void {
  wanted = null;
}

/**
 * Moves the focus into the line's panel, immediately if it is open and otherwise when it appears.
 * The request ends at the next click or key, because the person is then doing something else.
 */
export function requestLineFocus(id: string): void {
  wanted = id;
  for (const press of ['pointerdown', 'keydown'])
    window.addEventListener(press, forget, { capture: true, once: true });
  window.dispatchEvent(new Event(FOCUS_EVENT));
}

/** Calls `listener` when this line's panel shall get the focus, even if that was requested before the panel existed. */
export function onLineFocus(id: string, listener: () => void): () => void {
  const take = () => {
    if (wanted !== id) return;
    wanted = null;
    listener();
  };
  take();
  window.addEventListener(FOCUS_EVENT, take);
  return () => window.removeEventListener(FOCUS_EVENT, take);
}
