import { Search } from 'lucide-react';
import { type ComponentType, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tinykeys } from 'tinykeys';
import styles from './header.module.css';
import { isMac } from './is-mac.ts';

export interface PaletteProps {
  open: boolean;
  onClose: () => void;
}

/** The header's search box. It opens the palette, which is fetched the first time. */
export function PaletteButton({ palette: Palette }: { palette: ComponentType<PaletteProps> }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  useEffect(
    () =>
      tinykeys(window, {
        '$mod+KeyK': (event) => {
          event.preventDefault();
          setWanted(true);
          setOpen((wasOpen) => !wasOpen);
        },
      }),
    [],
  );
  const open = () => {
    setWanted(true);
    setOpen(true);
  };
  return (
    <>
      <button
        type="button"
        className={styles.search}
        aria-haspopup="dialog"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        onClick={open}
      >
        <Search size={18} aria-hidden="true" />
        <span>{t('header.search')}</span>
        <kbd>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      {isWanted && (
        <Suspense>
          <Palette open={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
