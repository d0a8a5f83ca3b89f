import {
  type ContactMessage,
  type ContactStatus,
  editContact,
  listContact,
} from '@linekeeper/contract/contact.ts';
import { contactList } from '@linekeeper/contract/lists/lists.ts';
import { useQuery } from '@tanstack/react-query';
import { Archive, ArchiveRestore, Inbox } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { useCommand } from '#kit/commands/use-command.ts';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { defineList } from '#kit/list/define-list.ts';
import { FoundLines } from '#kit/list/found.tsx';
import { ListPage } from '#kit/list/list-page.tsx';
import { QuietAction, RowActions, useRowButtonSize } from '#kit/list/row-actions.tsx';
import { DialogText, InfoDialog } from '#kit/overlays/dialogs/dialog-parts.tsx';
import type { BadgeTone } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { SummaryRows } from '#kit/ui/summary-rows.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { publicSettingsQuery } from '#platform/data/settings.ts';
import { isolate } from '#platform/i18n/isolate.ts';

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
  countsViews: true,
});

export function ContactInboxPage() {
  const { t } = useTranslation('contact');
  return (
    <ListPage
      list={contactInbox}
      firstUse={{ icon: <Inbox />, title: t('first.title') }}
      columns={columns}
      Actions={ContactActions}
      actionsWidth={176}
      isTall
    />
  );
}

const columns: ListColumn<ContactMessage>[] = [
  column.name('sender', ({ name, email }) => <FoundLines first={name} second={email} />),
  column.summary(
    'subject',
    ({ subject, message }) => <FoundLines first={subject} second={message} />,
    {
      inCard: 'bare',
    },
  ),
  column.moment('received', ({ created_at }) => created_at, { sortBy: 'created_at' }),
  column.status('status', ({ status }) => status, statusTones, { inCard: 'badge' }),
];

/** Actions on a contact message: read and reply, close, or reopen a closed one or one marked as spam. */
function ContactActions({ row: contact }: { row: ContactMessage }) {
  const { t } = useTranslation('contact');
  const size = useRowButtonSize();
  const [isOpen, setOpen] = useState(false);
  const { id, answer, status } = contact;
  const isClosed = status === 'closed' || status === 'spam';
  const { name } = contact;
  const closing = useCommand(editContact, {
    params: { id },
    refreshes: ['contact'],
    doneText: () => t(isClosed ? 'reopen.done' : 'close.done', { name }),
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
        {t(answer === null ? 'action.reply' : 'read.action')}
      </Button>
      <QuietAction
        label={t(isClosed ? 'reopen.of' : 'close.of', { name })}
        text={isClosed ? t('reopen.action') : t('action.close')}
        icon={isClosed ? ArchiveRestore : Archive}
        pending={closing.isPending}
        onClick={() => void closing.send({ closed: !isClosed })}
      />
      {isOpen && <Dialog contact={contact} onClose={() => setOpen(false)} />}
    </RowActions>
  );
}

interface ContactDialogProps {
  contact: ContactMessage;
  onClose: () => void;
}

/** The dialog with a contact message that has a reply, and whether the reply was emailed. */
function ReadDialog({ contact, onClose }: ContactDialogProps) {
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

/** The dialog with the message, and the single reply to it. */
function AnswerDialog({ contact, onClose }: ContactDialogProps) {
  const { t } = useTranslation('contact');
  const { data: settings } = useQuery(publicSettingsQuery());
  const email = contact.email;
  const { form, field, submission } = useCommandForm(editContact, {
    schema: answerForm,
    params: { id: contact.id },
    refreshes: ['contact'],
    defaultValues: { answer: '', closed: true },
    // Without `closed` the message stays open, so only a true value is sent.
    bodyOf: ({ answer, closed }) => ({ answer, ...(closed ? { closed } : {}) }),
    onClose,
    doneText: () => t('answer.done', { name: contact.name }),
  });
  const hint = settings && t(settings.sends_mail ? 'answer.hint' : 'answer.noMail', { email });
  return (
    <FormDialog
      submission={submission}
      title={isolate(contact.subject)}
      submitLabel={t(settings?.sends_mail ? 'action.sendReply' : 'answer.save')}
      onClose={onClose}
    >
      <Sender contact={contact} />
      <MessageText title={t('form.message')}>{contact.message}</MessageText>
      <TextInput
        {...field('answer')}
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

function Sender({ contact }: { contact: ContactMessage }) {
  const { t } = useTranslation('contact');
  const { name, email, account_email, created_at } = contact;
  return (
    <SummaryRows
      look="plain"
      rows={[
        { label: t('columns.sender'), value: <TypedText>{name}</TypedText> },
        { label: t('field.email'), value: <TypedText>{email}</TypedText> },
        {
          label: t('field.account'),
          value: account_email ? <TypedText>{account_email}</TypedText> : t('read.visitor'),
        },
        { label: t('columns.received'), value: <Timestamp value={created_at} /> },
      ]}
    />
  );
}

/** The message as plain text with its line breaks, without links or images. */
function MessageText({ title, children }: { title: string; children: string }) {
  return (
    <div className="grid grid-cols-1 gap-1 mt-4 [&_p]:max-h-[40vh] [&_p]:overflow-auto [&_p]:wrap-anywhere [&_p]:whitespace-pre-line">
      <h3 className="text-text-2 type-caption">{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard, too */}
      <p tabIndex={0}>
        <TypedText>{children}</TypedText>
      </p>
    </div>
  );
}
