import type { ReactNode } from 'react';
import {
  type FieldError,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
  useFormState,
} from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Banner } from '#kit/ui/states/banner.tsx';
import { RequestDetails } from '#kit/ui/states/request-details.tsx';
import { ApiError } from '#platform/api/client.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { inFieldOrder, labelOf, unmadeChoice } from './field-labels.ts';
import { useFieldErrorText } from './fields/use-field.ts';
import { SummaryLink } from './summary-link.tsx';

export interface FormErrorSummaryProps<Values extends FieldValues, Output> {
  form: UseFormReturn<Values, unknown, Output>;
  /** Heading of the list of invalid fields, if the default "To save, …" does not fit. */
  fixFields?: (count: number) => string;
  /** Advice for an error that concerns the form as a whole. */
  advice?: ((error: ApiError) => ReactNode) | undefined;
  action?: (error: ApiError) => ReactNode;
}

interface WrongField {
  name: string;
  error: FieldError;
}

function wrongFields(errors: object, path = ''): WrongField[] {
  return Object.entries(errors).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value !== 'object' || value === null || (path === '' && name === 'root')) return [];
    const full = path ? `${path}.${name}` : name;
    return typeof (value as FieldError).message === 'string'
      ? [{ name: full, error: value as FieldError }]
      : wrongFields(value, full);
  });
}

/** A summary above the fields: errors of several fields, or of the form as a whole. */
export function FormErrorSummary<Values extends FieldValues, Output>(
  props: FormErrorSummaryProps<Values, Output>,
) {
  const { form, advice, action } = props;
  const { errors, submitCount } = useFormState({ control: form.control });
  const errorText = useErrorText();
  const general = errors.root?.server as { message: string; error?: unknown } | undefined;
  const wrong = inFieldOrder(form.control, wrongFields(errors));

  if (general) {
    const cause = general.error ?? general.message;
    const apiError = cause instanceof ApiError ? cause : undefined;
    return (
      <Banner tone="error" title={errorText(cause)} action={apiError && action?.(apiError)} isAlert>
        {apiError && advice?.(apiError)}
        {apiError && apiError.status >= 500 && <RequestDetails error={apiError} />}
      </Banner>
    );
  }
  if (wrong.length < 2 || submitCount === 0) return null;
  return <WrongFields form={form} wrong={wrong} title={props.fixFields?.(wrong.length)} />;
}

function WrongFields<Values extends FieldValues, Output>({
  form,
  wrong,
  title,
}: {
  form: UseFormReturn<Values, unknown, Output>;
  wrong: WrongField[];
  title: string | undefined;
}) {
  const { t } = useTranslation();
  const fieldErrorText = useFieldErrorText();
  return (
    <Banner tone="error" title={title ?? t('form.fixFields', { count: wrong.length })} isAlert>
      <ul>
        {wrong.map(({ name, error }) => {
          const label = labelOf(form.control, name);
          const value: unknown = form.getValues(name as FieldPath<Values>);
          const text = unmadeChoice(form.control, name, value) ?? fieldErrorText(error);
          return (
            <li key={name}>
              <SummaryLink onClick={() => form.setFocus(name as FieldPath<Values>)}>
                {label ? `${label}: ${text}` : text}
              </SummaryLink>
            </li>
          );
        })}
      </ul>
    </Banner>
  );
}
