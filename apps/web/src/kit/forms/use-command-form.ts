import type { Endpoint, Reply } from '@linekeeper/contract/endpoint.ts';
import { type LinkProps, useNavigate } from '@tanstack/react-router';
import type { FieldPath, UseFormReturn } from 'react-hook-form';
import type * as z from 'zod';
import { type CommandOptions, type ContentOf, useCommand } from '#kit/commands/use-command.ts';
import { results } from '#platform/state/results.ts';
import { type FormSchema, type FormStart, useContractForm } from './use-contract-form.ts';
import { type SubmitOptions, useSubmit } from './use-submit.ts';

type OwnSchema<E extends Endpoint> = E extends { body: infer Schema extends FormSchema }
  ? Schema
  : never;

type FormOf<Schema extends FormSchema> = UseFormReturn<z.input<Schema>, unknown, z.output<Schema>>;

type CommandFormOptions<E extends Endpoint, Schema extends FormSchema, Sent> = Pick<
  CommandOptions<E, ContentOf<E>>,
  'params' | 'refreshes' | 'waits' | 'isRepeatable'
> &
  Pick<
    SubmitOptions<z.input<Schema>, z.output<Schema>, ContentOf<E>, Reply<E>, Sent>,
    'fieldOfCode' | 'isGuarded' | 'once' | 'refused'
  > &
  FormStart<z.input<Schema>> & {
    /** Schema of the form's fields, if it is not that of the call's body. */
    schema?: Schema;
    /** Builds the content of the call from the values (by default the values themselves); undefined sends nothing. */
    bodyOf?: (values: z.output<Schema>, form: FormOf<Schema>) => Sent | undefined;
    done?: (reply: Reply<E>, content: Sent, form: FormOf<Schema>) => unknown;
    /** Closes the dialog of the form once it is done. */
    onClose?: () => void;
    /** The text of the result after a success. */
    doneText?: (reply: Reply<E>, content: Sent) => string;
    /** The page to open after a success. */
    leadsTo?: LinkProps['to'];
  };

/** A form that sends one command: its fields, and for its frame the submission. */
export function useCommandForm<
  E extends Endpoint,
  Schema extends FormSchema = OwnSchema<E>,
  Sent extends ContentOf<E> = ContentOf<E>,
>(endpoint: E, options: CommandFormOptions<E, Schema, Sent>) {
  const { params, refreshes, waits, isRepeatable, bodyOf, onClose, doneText, leadsTo } = options;
  const navigate = useNavigate();
  const schema: Schema = options.schema ?? (endpoint.body as Schema);
  const form = useContractForm<Schema>({ ...options, schema });
  const submission = useSubmit({
    ...options,
    form,
    command: useCommand(endpoint, { params, refreshes, waits, isRepeatable }),
    bodyOf: bodyOf && ((values: z.output<Schema>) => bodyOf(values, form)),
    done: async (reply: Reply<E>, content: Sent) => {
      await options.done?.(reply, content, form);
      onClose?.();
      if (doneText) results.success(doneText(reply, content));
      if (leadsTo) await navigate({ to: leadsTo });
    },
  });
  const field = <Name extends FieldPath<z.input<Schema>>>(name: Name) => ({
    control: form.control,
    name,
  });
  return { form, field, submission };
}
