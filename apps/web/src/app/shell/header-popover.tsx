import { type ComponentType, type ReactElement, useId, useState } from 'react';

/** Attributes for the button that opens the popover. */
interface TriggerProps {
  'aria-haspopup': 'dialog';
  'aria-expanded': boolean;
  'aria-controls': string | undefined;
  onPointerEnter: () => void;
  onFocus: () => void;
  onClick: (event: { currentTarget: HTMLElement }) => void;
}

export interface HeaderPanelProps {
  id: string;
  /** The button below which the popover hangs, while it is open. */
  anchor: HTMLElement | null;
  onClose: () => void;
}

interface HeaderPopoverProps {
  trigger: (props: TriggerProps) => ReactElement;
  panel: ComponentType<HeaderPanelProps> & { fetch: () => void };
}

/** A button in the header with a panel below it, which is rendered once it is opened. */
export function HeaderPopover({ trigger, panel: Panel }: HeaderPopoverProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      {trigger({
        'aria-haspopup': 'dialog',
        'aria-expanded': Boolean(anchor),
        'aria-controls': anchor ? id : undefined,
        onPointerEnter: Panel.fetch,
        onFocus: Panel.fetch,
        onClick: ({ currentTarget }) => setAnchor(currentTarget),
      })}
      <Panel id={id} anchor={anchor} onClose={() => setAnchor(null)} />
    </>
  );
}
