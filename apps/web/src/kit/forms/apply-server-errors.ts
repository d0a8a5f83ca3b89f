import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { type FieldPath, type FieldValues, get, type UseFormReturn } from 'react-hook-form';
import { ApiError } from '#platform/api/client.ts';
import { inFieldOrder } from './field-labels.ts';

/**
 * Shows a server error on the fields that it names, otherwise above the form (see FormErrorSummary). `fieldOfCode` maps
 * codes that concern one field without naming it, such as { USERNAME_EXISTS: 'username' }. A field that has changed
 * since `sent` is not marked with the old error.
 */
export function applyServerErrors<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  error: unknown,
  fieldOfCode: Partial<Record<ErrorCode, FieldPath<Values>>> = {},
  sent: Values = form.getValues(),
): void {
  const isAsSent = (name: string) =>
    JSON.stringify(get(form.getValues(), name)) === JSON.stringify(get(sent, name));
  const onFields = fieldErrorsOf(error, fieldOfCode, Object.keys(form.getValues())).filter(
    ([name]) => isAsSent(name),
  );
  const named = onFields.map(([name, problem]) => ({ name, problem }));
  for (const [index, { name, problem }] of inFieldOrder(form.control, named).entries()) {
    form.setError(name as FieldPath<Values>, problem, { shouldFocus: index === 0 });
  }
  if (onFields.length > 0) return;
  const problem =
    error instanceof ApiError
      ? { type: error.code, message: error.message, error }
      : { type: 'INTERNAL_ERROR', message: 'INTERNAL_ERROR', error };
  form.setError('root.server', problem);
}

interface FieldProblem {
  type: string;
  message: string;
  data: Record<string, unknown>;
}

function fieldErrorsOf(
  error: unknown,
  fieldOfCode: Partial<Record<string, string>>,
  ownFields: string[],
): [name: string, problem: FieldProblem][] {
  if (!(error instanceof ApiError)) return [];
  const field = fieldOfCode[error.code];
  if (field) {
    return [[field, { type: error.code, message: error.code, data: error.data }]];
  }
  const codes = (error.data.field_codes ?? {}) as Record<string, string>;
  return Object.entries({ ...codes, ...error.fields })
    .filter(([name]) => ownFields.includes(name.split('.')[0] ?? ''))
    .map(([name, english]) => {
      const code = codes[name];
      return [name, { type: code ?? 'server', message: code ?? english, data: error.data }];
    });
}
