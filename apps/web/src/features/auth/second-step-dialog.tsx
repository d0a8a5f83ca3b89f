import { useTranslation } from 'react-i18next';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { SecondCode } from '#kit/forms/second-code.tsx';
import { type SecondStepProps, useSecondStep } from './use-second-step.ts';

interface Props extends SecondStepProps {
  email: string;
  onLeave: () => void;
}

/** The second step over a page with unsaved input. */
export function SecondStepDialog({ email, onLeave, ...step }: Props) {
  const { t } = useTranslation(['twoFactor', 'auth']);
  const { form, submission } = useSecondStep(step);
  return (
    <FormDialog
      // Closing always asks for a confirmation, because it discards the input of the page below.
      submission={{ ...submission, isUnsaved: true }}
      title={t('signIn.title')}
      text={t('signIn.text', { email })}
      submitLabel={t('auth:signIn.submit')}
      cancelLabel={t('unsaved.leave')}
      onClose={onLeave}
    >
      <SecondCode form={form} autoFocus isAlone />
    </FormDialog>
  );
}
