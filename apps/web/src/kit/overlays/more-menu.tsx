import { EllipsisVertical } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import type { MoreEntry } from './more-list.tsx';

/** Loaded on first use to keep pages with menus small. */
const MoreEntries = lazyPart(() => import('./more-list.tsx'), 'MoreEntries');

interface MoreButtonProps {
  label: string;
  isOpen: boolean;
  onOpen: (anchor: HTMLElement) => void;
  size?: 'small' | 'medium';
  /** Called when the menu is likely to be opened. */
  onIntent?: () => void;
}

export function MoreButton({ label, isOpen, onOpen, size = 'small', onIntent }: MoreButtonProps) {
  return (
    <IconButton
      label={label}
      size={size}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      {...(onIntent ? { onPointerEnter: onIntent, onFocus: onIntent } : {})}
      onClick={({ currentTarget }) => onOpen(currentTarget)}
    >
      <EllipsisVertical size={18} />
    </IconButton>
  );
}

interface MoreMenuProps extends Pick<MoreButtonProps, 'label' | 'size'> {
  /** False for those that cannot be chosen now. */
  entries: readonly (MoreEntry | false)[];
}

/** The three-dots button of a row or card, and its menu of further actions. */
export function MoreMenu({ entries, ...button }: MoreMenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <MoreButton
        {...button}
        isOpen={anchor !== null}
        onIntent={MoreEntries.fetch}
        onOpen={setAnchor}
      />
      <MoreEntries
        anchor={anchor}
        label={button.label}
        entries={entries.filter((entry) => entry !== false)}
        onClose={() => setAnchor(null)}
      />
    </>
  );
}
