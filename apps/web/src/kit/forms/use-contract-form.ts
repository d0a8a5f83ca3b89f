import { toNestErrors } from '@hookform/resolvers';
import { fieldProblems, type Issue } from '@linekeeper/contract/problems.ts';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Resolver,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type * as z from 'zod';

export type FormSchema = z.ZodType<FieldValues, FieldValues>;

/**
 * Validates with the contract's schema, as the server does. A field error has the error code as its
 * message, and the parameters of the translated sentence in `data`.
 */
function contractResolver<Schema extends FormSchema>(
  schema: Schema,
): Resolver<z.input<Schema>, unknown, z.output<Schema>> {
  return async (values, _context, options) => {
    const parsed = await schema.safeParseAsync(values);
    if (parsed.success) return { values: parsed.data, errors: {} };
    const problems = fieldProblems(parsed.error.issues as readonly Issue[]);
    const errors = Object.fromEntries(
      [...problems].map(([field, { code, data }]) => [
        field || 'root.server',
        { type: code, message: code, data },
      ]),
    );
    return { values: {}, errors: toNestErrors(errors as FieldErrors, options) };
  };
}

/**
 * `defaultValues` are fixed initial values. `values` are stored values: if they change elsewhere,
 * fields that were not edited get the new value.
 */
export type FormStart<Values extends FieldValues> =
  | { defaultValues: DefaultValues<Values>; values?: undefined }
  | { values: Values; defaultValues?: undefined };

function startOf<Values extends FieldValues>({
  values,
  defaultValues,
}: FormStart<Values>): Pick<UseFormProps<Values>, 'defaultValues' | 'values' | 'resetOptions'> {
  if (values === undefined) return { defaultValues };
  return { values, resetOptions: { keepDirtyValues: true, keepErrors: true } };
}

/**
 * A form for one of the contract's inputs. A field is validated when it loses focus, then on every
 * change until it is valid.
 */
export function useContractForm<Schema extends FormSchema>({
  schema,
  ...start
}: { schema: Schema } & FormStart<z.input<Schema>>): UseFormReturn<
  z.input<Schema>,
  unknown,
  z.output<Schema>
> {
  return useForm<z.input<Schema>, unknown, z.output<Schema>>({
    resolver: contractResolver(schema),
    ...startOf<z.input<Schema>>(start),
    mode: 'onTouched',
    reValidateMode: 'onChange',
    shouldFocusError: true,
  });
}
