import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#kit/overlays/overlays.tsx';
import { useCloseOnNavigation } from '#kit/overlays/use-close-on-navigation.ts';
import styles from './palette.module.css';
import { PaletteCommands } from './palette-commands.tsx';

export interface PaletteProps {
  open: boolean;
  /** The search box; popovers from the palette open below it. */
  anchor: HTMLElement | null;
  onClose: () => void;
  onShowShortcuts: () => void;
}

/** Finds a line or page by keyboard. Starts empty each time it opens. */
export function Palette({ open, anchor, onClose, onShowShortcuts }: PaletteProps) {
  const { t } = useTranslation('palette');
  const labelId = useId();
  const afterwards = useRef<(() => void) | undefined>(undefined);
  // If the palette is reopened while its closing animation runs, its old content must be reset.
  const isLeaving = useRef(false);
  const [visit, setVisit] = useState(0);
  const enter = () => {
    if (isLeaving.current) setVisit((before) => before + 1);
    isLeaving.current = false;
    afterwards.current = undefined;
  };
  const leave = () => {
    isLeaving.current = false;
    afterwards.current?.();
  };
  const close = (then?: () => void) => {
    // What it was closed for stays, also where the page below changes with it.
    afterwards.current ??= then;
    onClose();
  };
  useCloseOnNavigation(open, () => close());
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      aria-labelledby={labelId}
      slotProps={{
        container: { className: styles.container ?? '' },
        paper: { className: styles.paper ?? '' },
        transition: {
          onEnter: enter,
          onExit: () => {
            isLeaving.current = true;
          },
          onExited: leave,
        },
      }}
    >
      <h2 id={labelId} className="visually-hidden">
        {t('label')}
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
