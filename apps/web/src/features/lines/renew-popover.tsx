import type { Line } from '@linekeeper/contract/lines.ts';
import Drawer from '@mui/material/Drawer';
import Popover, { type PopoverActions } from '@mui/material/Popover';
import { useCallback, useId, useRef } from 'react';
import { useIsPhone } from '../../shared/ui/use-is-phone.ts';
import { RenewForm } from './renew-form.tsx';

interface RenewPopoverProps {
  line: Line;
  anchor: HTMLElement;
  onClose: () => void;
}

/** A popover finds its place once: what grows in it would leave the window. */
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

/** Below its button, on a phone as a sheet from the bottom. */
export function RenewPopover({ line, anchor, onClose }: RenewPopoverProps) {
  const isPhone = useIsPhone();
  const titleId = useId();
  const { actions, watch } = useKeepInWindow();
  const form = <RenewForm line={line} titleId={titleId} onClose={onClose} />;
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
        {form}
      </Drawer>
    );
  }
  return (
    <Popover
      open
      onClose={onClose}
      anchorEl={anchor}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      disableRestoreFocus
      action={actions}
      slotProps={{ paper: { ...dialog, ref: watch, sx: { mt: 1.5 } } }}
    >
      {form}
    </Popover>
  );
}
