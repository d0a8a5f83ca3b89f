import Popover from '@mui/material/Popover';
import { type ReactElement, type ReactNode, useId, useState } from 'react';
import styles from './header.module.css';

/** What the button that opens the popover must carry. */
interface TriggerProps {
  'aria-haspopup': 'dialog';
  'aria-expanded': boolean;
  'aria-controls': string | undefined;
  onClick: (event: { currentTarget: HTMLElement }) => void;
}

interface HeaderPopoverProps {
  label: string;
  width: number;
  trigger: (props: TriggerProps) => ReactElement;
  children: (close: () => void) => ReactNode;
}

/** A panel that hangs below its button in the header. */
export function HeaderPopover({ label, width, trigger, children }: HeaderPopoverProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      {trigger({
        'aria-haspopup': 'dialog',
        'aria-expanded': Boolean(anchor),
        'aria-controls': anchor ? id : undefined,
        onClick: ({ currentTarget }) => setAnchor(currentTarget),
      })}
      <Popover
        id={id}
        open={Boolean(anchor)}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          paper: {
            role: 'dialog',
            'aria-label': label,
            className: styles.popover ?? '',
            style: { width, marginTop: 20 },
          },
        }}
      >
        {children(close)}
      </Popover>
    </>
  );
}
