import { useTranslation } from 'react-i18next';
import { SecondCode } from '#kit/forms/second-code.tsx';
import { VisitorFrame } from '#kit/page/visitor/visitor-frame.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { type SecondStepProps, useSecondStep } from './use-second-step.ts';
import { VisitorForm } from './visitor-form.tsx';

interface Props extends SecondStepProps {
  email: string;
  onBack: () => void;
}

/** The second step of the sign-in page, for accounts with two-factor sign-in whose password was right. */
export function SecondStep({ email, onBack, ...step }: Props) {
  const { t } = useTranslation(['twoFactor', 'auth']);
  const { form, submission } = useSecondStep(step);
  return (
    <VisitorFrame title={t('signIn.title')} intro={t('signIn.text', { email })}>
      <VisitorForm
        form={form}
        submission={submission}
        submitLabel={t('auth:signIn.submit')}
        other={
          <Button variant="text" onClick={onBack}>
            {t('signIn.back')}
          </Button>
        }
      >
        <SecondCode form={form} autoFocus isAlone />
      </VisitorForm>
    </VisitorFrame>
  );
}
