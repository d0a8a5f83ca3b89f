import { type ReactNode, useId } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { DialogActions, DialogContent, DialogText } from '#kit/overlays/dialogs/dialog-parts.tsx';
import { Dialog } from '#kit/overlays/late-overlays.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Form } from './form.tsx';
import type { FormErrorSummaryProps } from './form-error-summary.tsx';
import { FormProblems } from './form-problems.tsx';
import { SubmitButton } from './submit-button.tsx';
import type { Submission } from './use-submit.ts';
import { useLeaveQuestion } from './use-unsaved-guard.ts';

interface FormDialogProps {
  submission: Submission;
  title: string;
  text?: ReactNode;
  /** Advice for an error that concerns the form as a whole. */
  advice?: FormErrorSummaryProps<FieldValues, FieldValues>['advice'];
  /** Content above the fields instead of the errors of the form. */
  problems?: ReactNode;
  /** Label of the button, which names the effect, for example "Move line". */
  submitLabel: string;
  /** Label of the closing button; by default "Cancel". */
  cancelLabel?: string;
  /** The reason why the form cannot be submitted yet. */
  blocked?: string | undefined;
  /** True for a wide dialog, whose content is in columns. */
  isWide?: boolean;
  /** True if the page moves the focus itself after closing. */
  disableRestoreFocus?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog. Closing asks about unsaved input; the dialog stays open while submitting. */
export function FormDialog(props: FormDialogProps) {
  const { submission, title, text, blocked, isWide, disableRestoreFocus = false, onClose } = props;
  const { problems = <FormProblems form={submission.form} advice={props.advice} /> } = props;
  const { t } = useTranslation();
  const id = useId();
  const mayLeave = useLeaveQuestion();
  const close = async () => {
    if (submission.isPending) return;
    if (!submission.isUnsaved || (await mayLeave())) onClose();
  };
  return (
    <Dialog
      open
      onClose={() => void close()}
      aria-labelledby={`${id}-title`}
      aria-describedby={text ? `${id}-text` : undefined}
      disableRestoreFocus={disableRestoreFocus}
    >
      <DialogContent width={isWide ? 600 : 480}>
        <Form submission={submission} isPlain>
          <h2 id={`${id}-title`}>{title}</h2>
          {text && <DialogText id={`${id}-text`}>{text}</DialogText>}
          <div className="grid grid-cols-1 gap-6 mt-4">
            {problems}
            {props.children}
          </div>
          <DialogActions>
            {/* On a phone the text is in the space above the buttons, so that none of them moves
                when it appears or disappears. */}
            <p className="flex-1 self-center text-text-2 type-caption phone:flex-none phone:order-1 phone:self-start phone:min-h-4.5 phone:-mt-[21px] phone:-mb-[5px]">
              {blocked}
            </p>
            <Button onClick={() => void close()} disabled={submission.isPending}>
              {props.cancelLabel ?? t('action.cancel')}
            </Button>
            <SubmitButton pending={submission.isPending} blocked={blocked}>
              {props.submitLabel}
            </SubmitButton>
          </DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}
