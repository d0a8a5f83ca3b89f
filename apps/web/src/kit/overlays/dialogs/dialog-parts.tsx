import { type ComponentProps, type CSSProperties, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#kit/overlays/late-overlays.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Muted, Row, Text } from '#kit/ui/vocabulary.tsx';
import styles from './dialog.module.css';

interface DialogContentProps {
  /** 600 for content that stands side by side. */
  width?: 440 | 480 | 600;
  children: ReactNode;
}

export function DialogContent({ width = 480, children }: DialogContentProps) {
  return (
    <div className={styles.content} style={{ '--width': `${width}px` } as CSSProperties}>
      {children}
    </div>
  );
}

export function DialogText(props: ComponentProps<typeof Muted>) {
  return <Muted {...props} as="p" above={8} />;
}

/** Why the answer was refused. */
export function DialogRefusal({ children }: { children: ReactNode }) {
  return (
    <Text as="div" above={16}>
      {children}
    </Text>
  );
}

export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <Row align="stretch" gap={8} justify="end" above={24} className={styles.actions}>
      {children}
    </Row>
  );
}

/** Where a panel that rises from the foot of a phone is taken hold of. */
export function SheetHandle() {
  return <span className={styles.handle} aria-hidden="true" />;
}

interface InfoDialogProps {
  title: ReactNode;
  /** Buttons beside the one that closes. */
  actions?: ReactNode;
  /** Set when the page moves the focus itself after closing. */
  disableRestoreFocus?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that only shows something. */
export function InfoDialog(props: InfoDialogProps) {
  const { title, actions, disableRestoreFocus = false, onClose, children } = props;
  const { t } = useTranslation();
  const id = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} disableRestoreFocus={disableRestoreFocus}>
      <DialogContent>
        <h2 id={id}>{title}</h2>
        {children}
        <DialogActions>
          <Button onClick={onClose}>{t('action.close')}</Button>
          {actions}
        </DialogActions>
      </DialogContent>
    </Dialog>
  );
}
