import type { SavedView } from '@linekeeper/contract/lists/list.ts';
import { Pencil, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { prefetchOnceUsed } from '../../start/later.tsx';
import { lazyComponent } from '../../start/lazy-component.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import styles from './view-tabs.module.css';

const ViewPopover = lazyComponent(async () => (await import('./view-popover.tsx')).ViewPopover);

/** Saves the current filters as a tab; for a saved tab, renames or deletes it. */
export function SaveViewButton({ current }: { current: SavedView | undefined }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => prefetchOnceUsed([ViewPopover.fetch]), []);
  // Focuses the button only after the popover has closed, because the open popover traps the focus.
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus({ preventScroll: true });
    wasOpen.current = isOpen;
  }, [isOpen]);
  const label = current
    ? t('list.savedViews.edit', { name: current.name })
    : t('list.savedViews.save');
  return (
    <span className={styles.saveView}>
      <IconButton
        ref={button}
        label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={ViewPopover.fetch}
        onFocus={ViewPopover.fetch}
        onClick={() => setOpen(true)}
      >
        {current ? <Pencil size={18} aria-hidden="true" /> : <Plus size={20} aria-hidden="true" />}
      </IconButton>
      {isOpen && button.current && (
        <ViewPopover view={current} anchor={button.current} onClose={() => setOpen(false)} />
      )}
    </span>
  );
}
