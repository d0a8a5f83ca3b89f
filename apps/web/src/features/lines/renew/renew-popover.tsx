import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { type ReactNode, useId } from 'react';
import { useTerms } from '#domain/prices/prices.ts';
import { Drawer, Popover } from '#kit/overlays/late-overlays.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { RenewForm } from './renew-form.tsx';

interface RenewPopoverProps {
  line: Line;
  anchor: HTMLElement;
  onClose: () => void;
}

/**
 * The popover in which a line is renewed: below the button that opened it, or a sheet at the bottom on a phone. The
 * durations are loaded before it opens, so that it does not move later.
 */
export function RenewPopover({ line, anchor, onClose }: RenewPopoverProps) {
  const titleId = useId();
  if (!useTerms()) return null;
  return (
    <FormPopover anchor={anchor} titleId={titleId} onClose={onClose}>
      <RenewForm line={line} titleId={titleId} onClose={onClose} />
    </FormPopover>
  );
}

interface FormPopoverProps {
  anchor: HTMLElement;
  /** Id of the heading that labels the popover. */
  titleId: string;
  onClose: () => void;
  children: ReactNode;
}

/** Pixels below a button; with less room, the form opens above the button, because it would cover it. */
const ROOM_BELOW = 120;

/** The side of the button with enough room. */
function placeAt(anchor: HTMLElement) {
  const { left, bottom } = anchor.getBoundingClientRect();
  return {
    side: bottom > window.innerHeight - ROOM_BELOW ? 'top' : 'bottom',
    align: left < window.innerWidth / 2 ? 'start' : 'end',
    gap: 12,
  } as const;
}

/** A popover with a short form at its button; on a phone a sheet from the bottom. */
function FormPopover({ anchor, titleId, onClose, children }: FormPopoverProps) {
  const isPhone = useIsPhone();
  const dialog = { 'aria-labelledby': titleId, disableRestoreFocus: true, onClose, children };
  if (isPhone) return <Drawer {...dialog} side="bottom" open />;
  return <Popover {...dialog} {...placeAt(anchor)} anchor={anchor} />;
}
