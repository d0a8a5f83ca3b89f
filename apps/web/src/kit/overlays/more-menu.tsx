import { EllipsisVertical } from 'lucide-react';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { LazyMenuButton, type MenuOpener } from './lazy-menu-button.tsx';
import type { MoreEntry } from './more-list.tsx';

const MoreEntries = lazyPart(() => import('./more-list.tsx'), 'MoreEntries');

interface MoreButtonProps {
  label: string;
  size?: 'small' | 'medium';
}

/** A button with three dots, which opens the menu of further actions. */
export function MoreButton({ size = 'small', ...rest }: MoreButtonProps & MenuOpener) {
  return (
    <IconButton {...rest} size={size}>
      <EllipsisVertical size={18} />
    </IconButton>
  );
}

interface MoreMenuProps extends MoreButtonProps {
  /** The entries; false for those that are not available now. */
  entries: readonly (MoreEntry | false)[];
}

/** The three-dots button of a row or card, and its menu of further actions. */
export function MoreMenu({ entries, ...look }: MoreMenuProps) {
  return (
    <LazyMenuButton
      fetch={MoreEntries.fetch}
      button={(opener) => <MoreButton {...look} {...opener} />}
      menu={(opened) => (
        <MoreEntries
          {...opened}
          label={look.label}
          entries={entries.filter((entry) => entry !== false)}
        />
      )}
    />
  );
}
