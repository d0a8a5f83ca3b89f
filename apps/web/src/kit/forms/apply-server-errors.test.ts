import { createFormControl, type UseFormReturn } from 'react-hook-form';
import { beforeEach, expect, it } from 'vitest';
import { ApiError } from '#platform/api/client.ts';
import { applyServerErrors } from './apply-server-errors.ts';

interface Values {
  username: string;
  port: number;
}

let form: UseFormReturn<Values, unknown, Values>;

beforeEach(() => {
  const created = createFormControl<Values>({ defaultValues: { username: 'a', port: 1 } });
  form = created as unknown as UseFormReturn<Values, unknown, Values>;
});

const errors = () => form.control._formState.errors;

it('puts the codes of fields on the fields', () => {
  const refusal = new ApiError({
    status: 422,
    code: 'VALIDATION_FAILED',
    message: 'wrong',
    data: { field_codes: { username: 'TOO_LONG' }, maximum: 64 },
    fields: { username: 'At most 64 characters', port: 'What the panel says' },
  });
  applyServerErrors(form, refusal);
  expect(errors().username).toMatchObject({ message: 'TOO_LONG', data: { maximum: 64 } });
  expect(errors().port).toMatchObject({ message: 'What the panel says' });
  expect(errors().root).toBeUndefined();
});

it('puts a refusal about one field on that field', () => {
  const refusal = new ApiError({ status: 409, code: 'USERNAME_EXISTS', message: 'taken' });
  applyServerErrors(form, refusal, { USERNAME_EXISTS: 'username' });
  expect(errors().username).toMatchObject({ message: 'USERNAME_EXISTS' });
});

it('marks no field that was changed since with what was wrong before, and says it above the form', () => {
  const refusal = new ApiError({ status: 409, code: 'USERNAME_EXISTS', message: 'taken' });
  const onName = { USERNAME_EXISTS: 'username' } as const;
  applyServerErrors(form, refusal, onName, { username: 'typed before', port: 1 });
  expect(errors().username).toBeUndefined();
  expect(errors().root?.server).toMatchObject({ type: 'USERNAME_EXISTS' });
  applyServerErrors(form, refusal, onName, { username: 'a', port: 2 });
  expect(errors().username).toMatchObject({ message: 'USERNAME_EXISTS' });
});

it('shows every other error for the form as a whole', () => {
  const refusal = new ApiError({
    status: 422,
    code: 'VALIDATION_FAILED',
    message: 'wrong',
    fields: { not_of_this_form: 'no' },
  });
  applyServerErrors(form, refusal);
  expect(errors().root?.server).toMatchObject({ type: 'VALIDATION_FAILED', error: refusal });
});
