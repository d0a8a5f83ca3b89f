import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#kit/overlays/overlays.tsx';
import { useCloseOnNavigation } from '#kit/overlays/use-close-on-navigation.ts';
import { PaletteCommands } from './palette-commands.tsx';

export interface PaletteProps {
  open: boolean;
  /** The search box, below which popovers from the palette open. */
  anchor: HTMLElement | null;
  onClose: () => void;
  onShowShortcuts: () => void;
}

/** The dialog that finds a line or a page by keyboard. It is empty each time it opens. */
export function Palette({ open, anchor, onClose, onShowShortcuts }: PaletteProps) {
  const { t } = useTranslation('palette');
  const labelId = useId();
  const afterwards = useRef<(() => void) | undefined>(undefined);
  // If the palette is reopened while it fades, its old content must be reset.
  const [visit, setVisit] = useState(0);
  useEffect(() => {
    if (!open) return;
    afterwards.current = undefined;
    setVisit((before) => before + 1);
  }, [open]);
  const close = (then?: () => void) => {
    // The function to run after closing stays the first one, even if the page below changes because of it.
    afterwards.current ??= then;
    onClose();
  };
  useCloseOnNavigation(open, () => close());
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      aria-labelledby={labelId}
      onClosed={() => afterwards.current?.()}
      viewportClassName={'items-start'}
      className="w-160 max-w-[calc(100vw_-_16px)] max-h-[calc(100dvh_-_192px)] mt-24 mx-2 mb-0 rounded-card phone:w-full phone:max-w-none phone:h-[calc(100dvh_-_var(--keyboard,0px))] phone:max-h-none phone:m-0 phone:rounded-none"
    >
      <h2 id={labelId} className="visually-hidden">
        {t('header.search')}
      </h2>
      <PaletteCommands
        key={visit}
        anchor={anchor}
        onClose={close}
        onShowShortcuts={() => close(onShowShortcuts)}
      />
    </Dialog>
  );
}
