import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#kit/overlays/late-overlays.ts';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Row } from '#kit/ui/vocabulary.tsx';
import styles from './sheet-dialog.module.css';

interface SheetDialogProps {
  title: string;
  /** True prevents closing, while a request is running. */
  isBusy?: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Stays visible below the scrolling content. */
  footer?: ReactNode;
}

/** A dialog with more content than a question; on a phone a bottom sheet. */
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
      className={styles.paper}
    >
      <Row gap={8} justify="between" className={styles.head}>
        <h2 id={id}>{title}</h2>
        <IconButton label={t('action.close')} disabled={isBusy} onClick={onClose}>
          <X size={20} />
        </IconButton>
      </Row>
      <div className={styles.body}>{children}</div>
      {footer && (
        <Row gap={8} justify="end" wrap className={styles.footer}>
          {footer}
        </Row>
      )}
    </Dialog>
  );
}

/** The part of a dialog that scrolls, between fixed content above and below. */
export function ScrollArea({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable with the keyboard
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
