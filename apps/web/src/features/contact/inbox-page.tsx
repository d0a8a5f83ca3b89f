import {
  type ContactMessage,
  type ContactStatus,
  contactList,
  editContact,
  listContact,
} from '@linekeeper/contract/contact.ts';
import { useQuery } from '@tanstack/react-query';
import { Archive, ArchiveRestore, Inbox } from 'lucide-react';
import { useState } from 'react';
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
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { column, type ListColumn } from '../../shared/list/columns.tsx';
import { defineList } from '../../shared/list/define-list.ts';
import { Found } from '../../shared/list/found.tsx';
import { ListPage } from '../../shared/list/list-page.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import { QuietAction, RowActions, useRowButtonSize } from '../../shared/list/row-actions.tsx';
import { TwoLines } from '../../shared/list/two-line-cell.tsx';
import { useCountedViews } from '../../shared/list/use-counted-views.ts';
import { toast } from '../../shared/state/toast.ts';
import type { BadgeTone } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { CheckboxField } from '../../shared/ui/controls/checkbox.tsx';
import { DialogText, InfoDialog } from '../../shared/ui/dialogs/dialog-parts.tsx';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { MessageText, Sender } from './message-text.tsx';

const statusTones: Record<ContactStatus, BadgeTone> = {
  open: 'warning',
  answered: 'success',
  closed: 'neutral',
  spam: 'error',
};

const contactInbox = defineList(contactList, {
  path: '/support/contact',
  queryKey: ['contact', 'list'],
  endpoint: listContact,
  texts: 'contact',
  viewTones: { open: 'warning' },
  viewsIfAny: ['spam'],
  useViewCounts: useCountedViews,
});

export function ContactInboxPage() {
  const { t } = useTranslation('contact');
  return (
    <ListPage
      list={contactInbox}
      header={<PageHeader />}
      firstUse={<EmptyPanel icon={<Inbox />} title={t('first.title')} text={t('first.text')} />}
    >
      {(rows) => (
        <ListRows {...rows} columns={columns} Actions={ContactActions} actionsWidth={176} isTall />
      )}
    </ListPage>
  );
}

const columns: ListColumn<ContactMessage>[] = [
  column.name('sender', ({ name, email }) => <Pair first={name} second={email} />),
  column.summary('subject', ({ subject, message }) => <Pair first={subject} second={message} />, {
    inCard: 'bare',
  }),
  column.moment('received', ({ created_at }) => created_at, { sortBy: 'created_at' }),
  column.status('status', ({ status }) => status, statusTones, { inCard: 'badge' }),
];

function Pair({ first, second }: { first: string; second: string }) {
  return (
    <TwoLines
      title={isolate(second)}
      first={
        <span>
          <Found text={first} />
        </span>
      }
      second={
        <small>
          <Found text={second} />
        </small>
      }
    />
  );
}

/** Read and answer; close, or reopen what is closed or was taken for spam. */
function ContactActions({ row: contact }: { row: ContactMessage }) {
  const { t } = useTranslation('contact');
  const blocked = useNeedsConnection();
  const size = useRowButtonSize();
  const [isOpen, setOpen] = useState(false);
  const { id, answer, status } = contact;
  const isClosed = status === 'closed' || status === 'spam';
  const { name } = contact;
  const closing = useCommand(editContact, {
    params: { id },
    refreshes: ['contact'],
    done: () => toast.success(t(isClosed ? 'reopen.done' : 'close.done', { name })),
  });
  const Dialog = answer === null ? AnswerDialog : ReadDialog;
  return (
    <RowActions>
      <Button
        variant={answer === null && !isClosed ? 'soft' : 'outlined'}
        size={size}
        aria-label={t(answer === null ? 'answer.of' : 'read.of', { name })}
        onClick={() => setOpen(true)}
      >
        {t(answer === null ? 'answer.action' : 'read.action')}
      </Button>
      <QuietAction
        label={t(isClosed ? 'reopen.of' : 'close.of', { name })}
        text={isClosed ? t('reopen.action') : t('action.close')}
        icon={isClosed ? ArchiveRestore : Archive}
        pending={closing.isPending}
        blocked={blocked}
        onClick={() => void closing.send({ closed: !isClosed })}
      />
      {isOpen && <Dialog contact={contact} onClose={() => setOpen(false)} />}
    </RowActions>
  );
}

interface ReadDialogProps {
  contact: ContactMessage;
  onClose: () => void;
}

/** A message that was answered, and what became of the answer. */
function ReadDialog({ contact, onClose }: ReadDialogProps) {
  const { t } = useTranslation('contact');
  const { subject, message, answer } = contact;
  return (
    <InfoDialog title={<TypedText>{subject}</TypedText>} onClose={onClose}>
      <Sender contact={contact} />
      <MessageText title={t('form.message')}>{message}</MessageText>
      <MessageText title={t('read.answerBy', { name: contact.answered_by ?? '' })}>
        {answer ?? ''}
      </MessageText>
      <MailState contact={contact} />
    </InfoDialog>
  );
}

function MailState({ contact }: { contact: ContactMessage }) {
  const { t } = useTranslation('contact');
  const { data: settings } = useQuery(publicSettingsQuery());
  const { email } = contact;
  if (contact.answer_is_mailed) return <DialogText>{t('read.mailed', { email })}</DialogText>;
  if (!settings) return null;
  const text = settings.sends_mail
    ? t('read.notMailedYet', { email })
    : t('answer.noMail', { email });
  return <DialogText>{text}</DialogText>;
}

const answerForm = z.object({
  answer: editContact.body.shape.answer.unwrap(),
  closed: z.boolean(),
});

interface AnswerDialogProps {
  contact: ContactMessage;
  onClose: () => void;
}

function AnswerDialog({ contact, onClose }: AnswerDialogProps) {
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
