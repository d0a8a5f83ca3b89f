import type { ContactMessage } from '@linekeeper/contract/contact.ts';
import { Inbox } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isolate } from '../../shared/i18n/isolate.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { column, type ListColumn } from '../../shared/list/columns.tsx';
import { Found } from '../../shared/list/found.tsx';
import { ListPage } from '../../shared/list/list-page.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import { TwoLines } from '../../shared/list/two-line-cell.tsx';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { ContactActions } from './contact-actions.tsx';
import { contactInbox, statusTones } from './inbox-list.ts';

/** The inbox of contact messages, for administrators. */
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
