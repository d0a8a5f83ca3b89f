import { createMessage } from '@linekeeper/contract/messages.ts';
import type { Control } from 'react-hook-form';
import * as z from 'zod';
import { dayField, expiryOf, timeField } from '../../shared/forms/day-and-time.ts';

const { title, content, is_global, recipient_id } = createMessage.body.shape;

export const messageForm = z
  .object({
    title,
    content,
    is_global,
    recipient_id,
    isLater: z.boolean(),
    day: dayField,
    time: timeField,
    until: dayField,
  })
  .superRefine((values, check) => {
    const need = (path: string) =>
      check.addIssue({ code: 'custom', message: 'REQUIRED', path: [path] });
    if (!values.is_global && !values.recipient_id) need('recipient_id');
    if (values.isLater && !values.day) need('day');
  });

export type MessageControl = Control<
  z.input<typeof messageForm>,
  unknown,
  z.output<typeof messageForm>
>;

export const newMessage = {
  ...{ title: '', content: '', is_global: true, recipient_id: undefined },
  ...{ isLater: false, day: '', time: '', until: '' },
};

export function messageBody(values: z.output<typeof messageForm>) {
  const { isLater, day, time, until, ...body } = values;
  return {
    ...body,
    recipient_id: body.is_global ? null : body.recipient_id,
    publish_at: isLater ? expiryOf({ day, time }) : null,
    expires_at: until || null,
  };
}
