import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { createMessage } from '@linekeeper/contract/messages.ts';
import type { Control } from 'react-hook-form';
import * as z from 'zod';
import { dayField, expiryOf, timeField } from '#kit/forms/day-and-time.ts';

const { title, content, recipient_id, server_id } = createMessage.body.shape;

export const recipientKinds = ['everyone', 'one', 'server'] as const;

const ofLanguage = z.object({ title, content });

export const messageForm = z
  .object({
    title,
    content,
    to: z.enum(recipientKinds),
    recipient_id,
    server_id: z.string(),
    /** A text in each language, instead of one text for all readers. */
    texts: z.object({ en: ofLanguage, de: ofLanguage, pl: ofLanguage, pt: ofLanguage }).optional(),
    isLater: z.boolean(),
    day: dayField,
    time: timeField,
    until: dayField,
  })
  .superRefine((values, check) => {
    const need = (path: string, message = 'REQUIRED') =>
      check.addIssue({ code: 'custom', message, path: [path] });
    if (values.to === 'one' && !values.recipient_id) need('recipient_id');
    if (values.to === 'server' && !server_id.safeParse(values.server_id).success) {
      need('server_id', 'SERVER_REQUIRED');
    }
    if (values.isLater && !values.day) need('day');
  });

export type MessageValues = z.input<typeof messageForm>;
export type MessageTexts = NonNullable<MessageValues['texts']>;
export type MessageControl = Control<MessageValues, unknown, z.output<typeof messageForm>>;

export const newMessage: MessageValues = {
  ...{ title: '', content: '', to: 'everyone', recipient_id: undefined, server_id: '' },
  ...{ texts: undefined, isLater: false, day: '', time: '', until: '' },
};

/**
 * The initial values of a message to accounts with lines on a server, with a text in each language
 * if there are such texts.
 */
export function messageAbout(server_id: string, texts: MessageTexts | undefined): MessageValues {
  // The fields for a single text are hidden in this case, but filled in.
  return { ...newMessage, to: 'server', server_id, texts, ...texts?.en };
}

/** Texts in each language, by a function of the language. */
export function inEachLanguage<Text>(text: (language: Language) => Text) {
  return Object.fromEntries(
    languages.map((language) => [language, text(language)]),
  ) as unknown as Record<Language, Text>;
}

export function messageBody(values: z.output<typeof messageForm>) {
  const { to, isLater, day, time, until, title, content, texts, ...body } = values;
  return {
    ...(texts?.en ?? { title, content }),
    texts: texts ?? null,
    is_global: to === 'everyone',
    recipient_id: to === 'one' ? body.recipient_id : null,
    server_id: to === 'server' ? body.server_id : null,
    publish_at: isLater ? expiryOf({ day, time }) : null,
    expires_at: until || null,
  };
}
