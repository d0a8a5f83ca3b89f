import { useTranslation } from 'react-i18next';
import { Form } from '../../shared/forms/form.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { SecondCode } from '../../shared/forms/second-code.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { VisitorFrame } from '../../shared/layout/visitor/visitor-frame.tsx';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { type SecondStepProps, useSecondStep } from './use-second-step.ts';

interface Props extends SecondStepProps {
  email: string;
  onBack: () => void;
}

/** The sign-in page once the password was right, for accounts with two-factor sign-in. */
export function SecondStep({ email, onBack, ...step }: Props) {
  const { t } = useTranslation('twoFactor');
  const { form, submission } = useSecondStep(step);
  return (
    <VisitorFrame title={t('signIn.title')} intro={t('signIn.text', { email })}>
      <Form submission={submission}>
        <FormProblems form={form} />
        <SecondCode form={form} autoFocus />
        <SubmitButton pending={submission.isPending || submission.isDone} size="large" fullWidth>
          {t('signIn.submit')}
        </SubmitButton>
        <Button variant="text" onClick={onBack}>
          {t('signIn.back')}
        </Button>
      </Form>
    </VisitorFrame>
  );
}
