import { Search } from 'lucide-react';
import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tinykeys } from 'tinykeys';
import { CONTROL_KEY, useControlKey } from './control-key.ts';
import styles from './header.module.css';

export interface PaletteProps {
  open: boolean;
  /** The search box; popovers from the palette open below it. */
  anchor: HTMLElement | null;
  onClose: () => void;
  onShowShortcuts: () => void;
}

interface PaletteButtonProps extends Pick<PaletteProps, 'onShowShortcuts'> {
  palette: ComponentType<PaletteProps>;
}

/** The search box in the header. Opens the palette, whose code is loaded on first use. */
export function PaletteButton({ palette: Palette, onShowShortcuts }: PaletteButtonProps) {
  const { t } = useTranslation();
  const control = useControlKey();
  const [box, setBox] = useState<HTMLButtonElement | null>(null);
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
        ref={setBox}
        type="button"
        className={styles.search}
        aria-haspopup="dialog"
        aria-keyshortcuts={`${CONTROL_KEY}+K`}
        onClick={open}
      >
        <Search size={18} aria-hidden="true" />
        <span>{t('header.search')}</span>
        <kbd>{control} K</kbd>
      </button>
      {isWanted && (
        <Palette
          open={isOpen}
          anchor={box}
          onClose={() => setOpen(false)}
          onShowShortcuts={onShowShortcuts}
        />
      )}
    </>
  );
}
