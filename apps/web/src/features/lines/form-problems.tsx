import { type ReactNode, useEffect, useRef } from 'react';
import { type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form';
import type { ApiError } from '../../shared/api/client.ts';
import { FormErrorSummary } from '../../shared/forms/form-error-summary.tsx';
import styles from './form-problems.module.css';

interface FormProblemsProps<Values extends FieldValues, Output> {
  form: UseFormReturn<Values, unknown, Output>;
  advice: (error: ApiError) => ReactNode;
}

/** Above the fields, and brought into view: the button that met a refusal is far below. */
export function FormProblems<Values extends FieldValues, Output>({
  form,
  advice,
}: FormProblemsProps<Values, Output>) {
  const place = useRef<HTMLDivElement>(null);
  const { errors } = useFormState({ control: form.control });
  const refusal = errors.root?.server;
  useEffect(() => {
    if (!refusal) return;
    place.current?.scrollIntoView({ block: 'nearest' });
    place.current?.focus({ preventScroll: true });
  }, [refusal]);
  return (
    <div ref={place} className={styles.problems} tabIndex={-1}>
      <FormErrorSummary form={form} advice={advice} />
    </div>
  );
}
