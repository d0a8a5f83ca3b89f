import type { SavedView } from '@linekeeper/contract/preferences.ts';
import { Pencil, Plus } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import styles from './lines.module.css';

const ViewPopover = lazy(async () => ({
  default: (await import('./view-popover.tsx')).ViewPopover,
}));

/** Keeps what is shown as a tab; a tab that is kept can be renamed or deleted. */
export function SaveViewButton({ current }: { current: SavedView | undefined }) {
  const { t } = useTranslation('lines');
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  // Once it is closed: while it is open it keeps the focus to itself.
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus({ preventScroll: true });
    wasOpen.current = isOpen;
  }, [isOpen]);
  const label = current ? t('savedViews.edit', { name: current.name }) : t('savedViews.save');
  return (
    <span className={styles.saveView}>
      <IconButton
        ref={button}
        label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        {current ? <Pencil size={18} aria-hidden="true" /> : <Plus size={20} aria-hidden="true" />}
      </IconButton>
      <Suspense>
        {isOpen && button.current && (
          <ViewPopover view={current} anchor={button.current} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    </span>
  );
}
