import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#kit/overlays/late-overlays.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { DialogActions, DialogContent, DialogRefusal, DialogText } from './dialog-parts.tsx';

export interface ConfirmDialogProps {
  open: boolean;
  title: string;
  text?: ReactNode;
  /** Content below the text, for example a list of changes. */
  children?: ReactNode;
  /** The reason why the confirmed action was refused. */
  refusal?: ReactNode;
  /** Label of the button, which names the effect, for example "Delete 3 lines". */
  confirmLabel: string;
  cancelLabel?: string;
  tone?: 'primary' | 'danger';
  pending?: boolean;
  /** The reason why the question cannot be confirmed now. */
  blocked?: string | undefined;
  onConfirm: () => void;
  /** The action of the second button; by default it closes the dialog. */
  onCancel?: () => void;
  onClose: () => void;
}

/** Focuses the harmless answer, so that Enter does nothing dangerous by accident. */
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
      <DialogContent>
        <h2 id={`${id}-title`}>{title}</h2>
        {text && <DialogText id={`${id}-text`}>{text}</DialogText>}
        {children}
        {props.refusal && <DialogRefusal>{props.refusal}</DialogRefusal>}
        <DialogActions>
          <Button ref={focusFirst} onClick={props.onCancel ?? onClose} disabled={pending}>
            {props.cancelLabel ?? t('action.cancel')}
          </Button>
          <Button
            variant="solid"
            tone={tone}
            pending={pending}
            blocked={props.blocked}
            onClick={props.onConfirm}
          >
            {props.confirmLabel}
          </Button>
        </DialogActions>
      </DialogContent>
    </Dialog>
  );
}
