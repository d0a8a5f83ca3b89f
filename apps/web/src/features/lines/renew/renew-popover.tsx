import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { PopoverActions } from '@mui/material/Popover';
import { type ReactNode, useCallback, useId, useRef } from 'react';
import { Drawer, Popover } from '#kit/overlays/late-overlays.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { RenewForm } from './renew-form.tsx';

interface RenewPopoverProps {
  line: Line;
  anchor: HTMLElement;
  onClose: () => void;
}

/** A popover below its button; on a phone a bottom sheet. */
export function RenewPopover({ line, anchor, onClose }: RenewPopoverProps) {
  const titleId = useId();
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

/**
 * Repositions the popover when its content grows, which would otherwise extend beyond the window.
 */
function useKeepInWindow() {
  const actions = useRef<PopoverActions>(null);
  const watch = useCallback((paper: HTMLElement | null) => {
    if (!paper) return;
    const observer = new ResizeObserver(() => actions.current?.updatePosition());
    observer.observe(paper);
    return () => observer.disconnect();
  }, []);
  return { actions, watch };
}

/** Room below a button without which what opens stands above it: else it would cover the button. */
const ROOM_BELOW = 120;

/** The side of the button on which there is room. */
function placeAt(anchor: HTMLElement) {
  const { left, bottom } = anchor.getBoundingClientRect();
  const horizontal = left < window.innerWidth / 2 ? 'left' : 'right';
  const isLow = bottom > window.innerHeight - ROOM_BELOW;
  return {
    anchorOrigin: { vertical: isLow ? 'top' : 'bottom', horizontal },
    transformOrigin: { vertical: isLow ? 'bottom' : 'top', horizontal },
    margin: isLow ? { mt: -1.5 } : { mt: 1.5 },
  } as const;
}

/** A short form at its button, on a phone as a sheet from the bottom. */
function FormPopover({ anchor, titleId, onClose, children }: FormPopoverProps) {
  const isPhone = useIsPhone();
  const { actions, watch } = useKeepInWindow();
  const dialog = { role: 'dialog', 'aria-labelledby': titleId };
  if (isPhone) {
    return (
      <Drawer
        anchor="bottom"
        open
        onClose={onClose}
        disableRestoreFocus
        slotProps={{
          paper: { ...dialog, sx: { maxHeight: '92vh', borderRadius: '16px 16px 0 0' } },
        }}
      >
        {children}
      </Drawer>
    );
  }
  const { margin, ...place } = placeAt(anchor);
  return (
    <Popover
      open
      onClose={onClose}
      anchorEl={anchor}
      {...place}
      disableRestoreFocus
      action={actions}
      slotProps={{ paper: { ...dialog, ref: watch, sx: margin } }}
    >
      {children}
    </Popover>
  );
}
