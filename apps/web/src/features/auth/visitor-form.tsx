import type { ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import type { Submission } from '#kit/forms/use-submit.ts';

interface VisitorFormProps<Values extends FieldValues, Output> {
  form: UseFormReturn<Values, unknown, Output>;
  submission: Submission;
  submitLabel: string;
  children: ReactNode;
  /** Content below the button, for example another link. */
  other?: ReactNode;
}

export function VisitorForm<Values extends FieldValues, Output>({
  form,
  submission,
  submitLabel,
  children,
  other,
}: VisitorFormProps<Values, Output>) {
  const { t } = useTranslation('auth');
  return (
    <Form submission={submission}>
      <FormProblems form={form} fixFields={(count) => t('fixFields', { count })} />
      {children}
      {/* The button stays disabled after a success, until other content replaces the form. */}
      <SubmitButton pending={submission.isPending || submission.isDone} size="large" fullWidth>
        {submitLabel}
      </SubmitButton>
      {other}
    </Form>
  );
}
