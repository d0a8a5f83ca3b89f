import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import type { FormEvent } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import type { Command, SendOptions } from '#kit/commands/use-command.ts';
import { applyServerErrors } from './apply-server-errors.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

interface FormCommandOptions<Values extends FieldValues, Output, Content, Answer, Sent>
  extends SendOptions<Sent, Answer> {
  form: UseFormReturn<Values, unknown, Output>;
  command: Command<Content, Answer>;
  /** Maps error codes that concern one field without naming it to that field. */
  fieldOfCode?: Partial<Record<ErrorCode, FieldPath<Values>>>;
}

/** Sends a command with values of a form, such as a connection test, and shows errors on the form's fields. */
export function sendFromForm<
  Values extends FieldValues,
  Output,
  Content,
  Answer,
  Sent extends Content,
>(
  {
    form,
    command,
    fieldOfCode,
    refused,
    done,
    once,
  }: FormCommandOptions<Values, Output, Content, Answer, Sent>,
  content: Sent,
): Promise<void> {
  const sent = structuredClone(form.getValues());
  return command.send(content, {
    once,
    done: (reply) => done?.(reply, content),
    refused: (error) => {
      applyServerErrors(form, error, fieldOfCode, sent);
      return refused?.(error);
    },
  });
}

export interface SubmitOptions<Values extends FieldValues, Output, Content, Answer, Sent>
  extends FormCommandOptions<Values, Output, Content, Answer, Sent> {
  /** Builds the content to send from the values (by default the values); undefined sends nothing. */
  bodyOf?: ((values: Output) => Sent | undefined) | undefined;
  /** True (the default) asks before leaving with unsaved input. */
  isGuarded?: boolean | undefined;
}

/** State and handlers of a form, for its frame and buttons. */
export interface Submission {
  form: UseFormReturn<FieldValues, unknown, FieldValues>;
  submit: (event?: FormEvent) => Promise<void>;
  isPending: boolean;
  isDone: boolean;
  /** True if leaving would lose input. */
  isUnsaved: boolean;
  /** Lets the next navigation leave the form without a question about unsaved input. */
  letLeave: () => void;
}

/**
 * Submits a form of the contract: validates, sends, and shows server errors on the fields or above
 * them. Focuses the first invalid field.
 */
export function useSubmit<
  Values extends FieldValues,
  Output,
  Answer,
  Content,
  Sent extends Content,
>({
  bodyOf,
  isGuarded = true,
  ...options
}: SubmitOptions<Values, Output, Content, Answer, Sent>): Submission {
  const { form, command } = options;
  const isUnsaved = form.formState.isDirty && isGuarded;
  const letLeave = useUnsavedGuard(isUnsaved);
  const done = (reply: Answer, content: Sent) => {
    letLeave();
    return options.done?.(reply, content);
  };
  const submit = form.handleSubmit(async (values) => {
    const content = bodyOf ? bodyOf(values) : (values as unknown as Sent);
    if (content !== undefined) await sendFromForm({ ...options, done }, content);
  });
  return {
    // The frame shows problems of any form, so its type is not needed.
    form: form as unknown as Submission['form'],
    submit,
    isPending: command.isPending,
    isDone: command.isDone,
    isUnsaved,
    letLeave,
  };
}
