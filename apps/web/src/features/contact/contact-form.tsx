import { sendContact } from '@linekeeper/contract/contact.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { languages } from '@linekeeper/contract/languages.ts';
import { useTranslation } from 'react-i18next';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';

export interface Sent {
  email: string;
  /** The ticket that the message of a signed-in account became. */
  ticket: Reply<typeof sendContact>['ticket'];
}

interface ContactFormOptions {
  /** The sender's name, if known. */
  name?: string;
  email?: string;
  onSent: (sent: Sent) => unknown;
  isGuarded?: boolean;
}

/**
 * State and submission of the contact form. Visitors and signed-in accounts have different pages for it, and both show
 * its inputs by `ContactFields`. `onSent` is called once the panel has stored the message.
 */
export function useContactForm({ name = '', email = '', onSent, isGuarded }: ContactFormOptions) {
  const { i18n } = useTranslation();
  const { form, submission } = useCommandForm(sendContact, {
    defaultValues: { name, email, subject: '', message: '', homepage: '' },
    bodyOf: (values) => {
      const language = languages.find((code) => code === i18n.language);
      return { ...values, ...(language ? { language } : {}) };
    },
    done: ({ ticket }, { email: address }) => onSent({ email: address, ticket }),
    isGuarded,
  });
  return { form, submission };
}

type ContactForm = ReturnType<typeof useContactForm>['form'];

interface ContactFieldsProps {
  form: ContactForm;
  /** False if the panel knows the sender. */
  asksForSender?: boolean;
}

export function ContactFields({ form, asksForSender = true }: ContactFieldsProps) {
  const { t } = useTranslation('contact');
  const { control } = form;
  return (
    <>
      <FormProblems form={form} fixFields={(count) => t('form.fixFields', { count })} />
      {asksForSender && (
        <>
          <TextInput
            control={control}
            name="name"
            label={t('field.name')}
            autoComplete="name"
            required
          />
          <TextInput
            control={control}
            name="email"
            label={t('field.email')}
            hint={t('form.emailHint')}
            type="email"
            autoComplete="email"
            spellCheck={false}
            required
          />
        </>
      )}
      <TextInput control={control} name="subject" label={t('columns.subject')} required />
      <TextInput
        control={control}
        name="message"
        label={t('form.message')}
        multiline
        rows={6}
        required
      />
      {/* This field is for programs that fill in every field; people neither see nor reach it. */}
      <input
        {...form.register('homepage')}
        className="absolute w-px h-px p-0 border-0 [clip-path:inset(50%)] overflow-hidden"
        tabIndex={-1}
        autoComplete="off"
        aria-hidden="true"
      />
    </>
  );
}
