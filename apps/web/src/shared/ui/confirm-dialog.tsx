import Dialog from '@mui/material/Dialog';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import styles from './confirm-dialog.module.css';

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  text?: ReactNode;
  /** Below the text, such as a list of what will change. */
  children?: ReactNode;
  /** Names the effect: "Delete 3 lines". */
  confirmLabel: string;
  cancelLabel?: string;
  tone?: 'primary' | 'danger';
  pending?: boolean;
  onConfirm: () => void;
  /** Where the other button is an answer too, and not the same as closing. */
  onCancel?: () => void;
  onClose: () => void;
}

/** The harmless answer has the focus. */
function focusFirst(button: HTMLButtonElement | null): void {
  button?.focus();
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const { open, title, text, children, tone = 'primary', pending = false, onClose } = props;
  return (
    <Dialog
      open={open}
      onClose={pending ? undefined : onClose}
      aria-labelledby={`${id}-title`}
      aria-describedby={text ? `${id}-text` : undefined}
    >
      <div className={styles.content}>
        <h2 id={`${id}-title`} className={styles.title}>
          {title}
        </h2>
        {text && (
          <p id={`${id}-text`} className={styles.text}>
            {text}
          </p>
        )}
        {children}
        <div className={styles.actions}>
          <Button ref={focusFirst} onClick={props.onCancel ?? onClose} disabled={pending}>
            {props.cancelLabel ?? t('action.cancel')}
          </Button>
          <Button variant="solid" tone={tone} pending={pending} onClick={props.onConfirm}>
            {props.confirmLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
