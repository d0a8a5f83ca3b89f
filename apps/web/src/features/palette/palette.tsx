import Dialog from '@mui/material/Dialog';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './palette.module.css';
import { PaletteCommands } from './palette-commands.tsx';

interface PaletteProps {
  open: boolean;
  onClose: () => void;
}

/** Finds a line or a page from the keyboard; every time it opens, it starts anew. */
export function Palette({ open, onClose }: PaletteProps) {
  const { t } = useTranslation('palette');
  const labelId = useId();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      aria-labelledby={labelId}
      slotProps={{
        container: { className: styles.container ?? '' },
        paper: { className: styles.paper ?? '' },
      }}
    >
      <h2 id={labelId} className="visually-hidden">
        {t('label')}
      </h2>
      <PaletteCommands onClose={onClose} />
    </Dialog>
  );
}
