import Dialog from '@mui/material/Dialog';
import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './icon-button.tsx';
import styles from './sheet-dialog.module.css';

interface SheetDialogProps {
  title: string;
  /** While something is sent it stays open. */
  isBusy?: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Stays in sight below what scrolls. */
  footer?: ReactNode;
}

/** A dialog for more than a question; on a phone a sheet from the bottom. */
export function SheetDialog({
  title,
  isBusy = false,
  onClose,
  children,
  footer,
}: SheetDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Dialog
      open
      onClose={isBusy ? undefined : onClose}
      aria-labelledby={id}
      slotProps={{ paper: { className: styles.paper ?? '' } }}
    >
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        <IconButton label={t('action.close')} disabled={isBusy} onClick={onClose}>
          <X size={20} aria-hidden="true" />
        </IconButton>
      </div>
      <div className={styles.body}>{children}</div>
      {footer && <div className={styles.footer}>{footer}</div>}
    </Dialog>
  );
}

/** What is long scrolls by itself, between what is said above and below it. */
export function ScrollArea({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
