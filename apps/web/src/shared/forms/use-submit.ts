import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { type FormEvent, useRef } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { applyServerErrors } from './apply-server-errors.ts';
import { type Sending, useSend, type WithIdempotencyKey } from './use-send.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

interface FormSendOptions<Values extends FieldValues, Output, Content, Reply> {
  form: UseFormReturn<Values, unknown, Output>;
  send: (keyed: WithIdempotencyKey<Content>) => Promise<Reply>;
  onSuccess?: (reply: Reply, body: Content) => unknown;
  /** Maps error codes that concern one field without naming it to that field. */
  fieldOfCode?: Partial<Record<ErrorCode, FieldPath<Values>>>;
}

/**
 * For further requests of a form, such as a connection test; errors are shown on the form's fields.
 */
export function useFormSend<Values extends FieldValues, Output, Content, Reply>({
  form,
  fieldOfCode,
  ...options
}: FormSendOptions<Values, Output, Content, Reply>): Sending<Content> {
  const sent = useRef<Values>(undefined);
  return useSend<Content, Reply>({
    ...options,
    send: (keyed) => {
      sent.current = structuredClone(form.getValues());
      return options.send(keyed);
    },
    onRefused: (error) => applyServerErrors(form, error, fieldOfCode, sent.current),
  });
}

interface SubmitOptions<Values extends FieldValues, Output, Content, Reply>
  extends FormSendOptions<Values, Output, Content, Reply> {
  /** Builds the request body from the values (by default the values); undefined sends nothing. */
  bodyOf?: (values: Output) => Content | undefined;
  /** True (the default) asks before leaving with unsaved input. */
  isGuarded?: boolean;
}

/** State and handlers of a form, for its frame and buttons. */
export interface Submission {
  submit: (event?: FormEvent) => Promise<void>;
  isPending: boolean;
  isDone: boolean;
  /** True if leaving would lose input. */
  isUnsaved: boolean;
  /** Call before leaving the form on purpose, to leave without a question. */
  letLeave: () => void;
}

/**
 * Submits a form of the contract: validates, sends, and shows server errors on the fields or above
 * them. Focuses the first invalid field.
 */
export function useSubmit<Values extends FieldValues, Output, Reply, Content = Output>(
  options: SubmitOptions<Values, Output, Content, Reply>,
): Submission {
  const { form, bodyOf, isGuarded = true } = options;
  const isUnsaved = form.formState.isDirty && isGuarded;
  const letLeave = useUnsavedGuard(isUnsaved);
  const { send, isPending, isDone } = useFormSend<Values, Output, Content, Reply>({
    ...options,
    onSuccess: (reply, body) => {
      letLeave();
      return options.onSuccess?.(reply, body);
    },
  });
  const submit = form.handleSubmit(async (values) => {
    const body = bodyOf ? bodyOf(values) : (values as unknown as Content);
    if (body !== undefined) await send(body);
  });
  return { submit, isPending, isDone, isUnsaved, letLeave };
}
