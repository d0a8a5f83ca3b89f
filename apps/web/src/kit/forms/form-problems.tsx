import type { ReactNode } from 'react';
import { type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form';
import { FormErrorSummary, type FormErrorSummaryProps } from './form-error-summary.tsx';
import { RefusalPlace } from './refusal-place.tsx';

interface ProblemsPlaceProps<Values extends FieldValues, Output> {
  form: UseFormReturn<Values, unknown, Output>;
  children: ReactNode;
}

/** Place for errors above the fields, scrolled into view when the panel refuses the form. */
export function ProblemsPlace<Values extends FieldValues, Output>({
  form,
  children,
}: ProblemsPlaceProps<Values, Output>) {
  const { errors } = useFormState({ control: form.control });
  return <RefusalPlace refusal={errors.root?.server}>{children}</RefusalPlace>;
}

/** The errors of the form, above its fields and scrolled into view. */
export function FormProblems<Values extends FieldValues, Output>(
  props: FormErrorSummaryProps<Values, Output>,
) {
  return (
    <ProblemsPlace form={props.form}>
      <FormErrorSummary {...props} />
    </ProblemsPlace>
  );
}
