import type { ReactNode } from 'react';
import { ConfirmDialog, type ConfirmDialogProps } from '#kit/overlays/dialogs/confirm-dialog.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import type { Command } from './use-command.ts';

interface ConfirmActionProps<Content, Answer>
  extends Omit<ConfirmDialogProps, 'open' | 'pending' | 'refusal' | 'onConfirm' | 'onCancel'> {
  command: Command<Content, Answer>;
  /** What is sent, if the command takes anything. */
  content?: Content;
  /** Called once the command is done, after the dialog has closed. */
  done?: (reply: Answer) => unknown;
  /** True if the dialog leads on by itself, so that it stays when the command is done. */
  staysOpen?: boolean;
  /** Shows an error, in place of its text alone. */
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
