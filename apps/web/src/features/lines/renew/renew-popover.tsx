import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useId } from 'react';
import { FormPopover } from '../../../shared/forms/form-popover.tsx';
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
