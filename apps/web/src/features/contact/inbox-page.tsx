import {
  type ContactMessage,
  type ContactStatus,
  editContact,
  listContact,
} from '@linekeeper/contract/contact.ts';
import { contactList } from '@linekeeper/contract/lists/lists.ts';
import { Archive, ArchiveRestore, Inbox } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { defineList } from '#kit/list/define-list.ts';
import { FoundLines } from '#kit/list/found.tsx';
import { ListPage } from '#kit/list/list-page.tsx';
import { QuietAction, RowActions, useRowButtonSize } from '#kit/list/row-actions.tsx';
import type { BadgeTone } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { AnswerDialog, ReadDialog } from './inbox-dialogs.tsx';

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
