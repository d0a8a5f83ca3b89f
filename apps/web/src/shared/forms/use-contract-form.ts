import { toNestErrors } from '@hookform/resolvers';
import { fieldProblems, type Issue } from '@linekeeper/contract/problems.ts';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type * as z from 'zod';

type FormSchema = z.ZodType<FieldValues, FieldValues>;

/**
 * The contract decides what is wrong, as on the server. A field's error carries the code as its
 * message and what the sentence needs as `data`.
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

/** A form of one of the contract's inputs: checked when a field is left, then while it is mended. */
export function useContractForm<Schema extends FormSchema>({
  schema,
  defaultValues,
}: {
  schema: Schema;
  defaultValues: DefaultValues<z.input<Schema>>;
}): UseFormReturn<z.input<Schema>, unknown, z.output<Schema>> {
  return useForm<z.input<Schema>, unknown, z.output<Schema>>({
    resolver: contractResolver(schema),
    defaultValues,
    mode: 'onTouched',
    reValidateMode: 'onChange',
    shouldFocusError: true,
  });
}
