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

/** A popover below its button; on a phone a bottom sheet. It opens with its terms, so that none moves it later. */
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

/** Room below a button without which what opens stands above it: else it would cover the button. */
const ROOM_BELOW = 120;

/** The side of the button on which there is room. */
function placeAt(anchor: HTMLElement) {
  const { left, bottom } = anchor.getBoundingClientRect();
  return {
    side: bottom > window.innerHeight - ROOM_BELOW ? 'top' : 'bottom',
    align: left < window.innerWidth / 2 ? 'start' : 'end',
    gap: 12,
  } as const;
}

/** A short form at its button, on a phone as a sheet from the bottom. */
function FormPopover({ anchor, titleId, onClose, children }: FormPopoverProps) {
  const isPhone = useIsPhone();
  const dialog = { 'aria-labelledby': titleId, disableRestoreFocus: true, onClose, children };
  if (isPhone) return <Drawer {...dialog} side="bottom" open />;
  return <Popover {...dialog} {...placeAt(anchor)} anchor={anchor} />;
}
