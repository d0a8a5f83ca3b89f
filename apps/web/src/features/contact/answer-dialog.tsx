import { type ContactMessage, editContact } from '@linekeeper/contract/contact.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { useCommand } from '../../shared/commands/use-command.ts';
import { publicSettingsQuery } from '../../shared/data/settings.ts';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { FormDialog } from '../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { isolate } from '../../shared/i18n/isolate.ts';
import { toast } from '../../shared/state/toast.ts';
import { CheckboxField } from '../../shared/ui/controls/checkbox-field.tsx';
import { MessageText, Sender } from './message-text.tsx';

const answerForm = z.object({
  answer: editContact.body.shape.answer.unwrap(),
  closed: z.boolean(),
});

interface AnswerDialogProps {
  contact: ContactMessage;
  onClose: () => void;
}

/** The message, and the one answer to it. */
export function AnswerDialog({ contact, onClose }: AnswerDialogProps) {
  const { t } = useTranslation('contact');
  const { data: settings } = useQuery(publicSettingsQuery());
  const email = contact.email;
  const form = useContractForm({
    schema: answerForm,
    defaultValues: { answer: '', closed: true },
  });
  const submission = useSubmit({
    form,
    command: useCommand(editContact, { params: { id: contact.id }, refreshes: ['contact'] }),
    // Not to be closed is what happens by itself.
    bodyOf: ({ answer, closed }) => ({ answer, ...(closed ? { closed } : {}) }),
    done: () => {
      onClose();
      toast.success(t('answer.done', { name: contact.name }));
    },
  });
  const hint = settings && t(settings.sends_mail ? 'answer.hint' : 'answer.noMail', { email });
  return (
    <FormDialog
      submission={submission}
      title={isolate(contact.subject)}
      submitLabel={t(settings?.sends_mail ? 'answer.send' : 'answer.save')}
      onClose={onClose}
    >
      <FormProblems form={form} />
      <Sender contact={contact} />
      <MessageText title={t('form.message')}>{contact.message}</MessageText>
      <TextInput
        control={form.control}
        name="answer"
        label={t('answer.label')}
        {...(hint ? { hint } : {})}
        multiline
        rows={5}
        required
      />
      <CheckboxField
        checked={form.watch('closed')}
        onChange={(closed) => form.setValue('closed', closed)}
      >
        {t('answer.alsoClose')}
      </CheckboxField>
    </FormDialog>
  );
}
