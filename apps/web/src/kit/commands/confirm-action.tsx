import type { ReactNode } from 'react';
import { ConfirmDialog, type ConfirmDialogProps } from '#kit/overlays/dialogs/confirm-dialog.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import type { Command } from './use-command.ts';

interface ConfirmActionProps<Content, Answer>
  extends Omit<ConfirmDialogProps, 'open' | 'pending' | 'refusal' | 'onConfirm' | 'onCancel'> {
  command: Command<Content, Answer>;
  /** The content to send, if the command takes any. */
  content?: Content;
  /** Called after the command has succeeded and the dialog has closed. */
  done?: (reply: Answer) => unknown;
  /** True if the dialog stays open after a success, because it then opens another dialog itself. */
  staysOpen?: boolean;
  /** Shows an error, instead of only its text. */
  refusal?: (error: unknown) => ReactNode;
}

/**
 * A dialog that asks for confirmation before a command is sent. An error is shown in the dialog, which then stays open.
 */
export function ConfirmAction<Content, Answer>({
  command,
  content,
  done,
  staysOpen = false,
  refusal,
  onClose,
  ...dialog
}: ConfirmActionProps<Content, Answer>) {
  const errorText = useErrorText();
  const { error, isPending, send, forgetError } = command;
  const close = () => {
    forgetError();
    onClose();
  };
  const confirm = () =>
    send(content as Content, {
      done: (reply) => {
        if (!staysOpen) onClose();
        return done?.(reply);
      },
      refused: () => {},
    });
  return (
    <ConfirmDialog
      open
      {...dialog}
      pending={isPending}
      refusal={
        error !== null &&
        (refusal?.(error) ?? <Banner tone="error" title={errorText(error)} isAlert />)
      }
      onConfirm={() => void confirm()}
      onClose={close}
    />
  );
}
