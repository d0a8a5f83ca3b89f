import type { ContactMessage } from '@linekeeper/contract/contact.ts';
import { Inbox } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isolate } from '../../shared/i18n/isolate.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { ListCard } from '../../shared/list/list-body.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import { ListToolbar } from '../../shared/list/list-toolbar.tsx';
import { PagedList } from '../../shared/list/paged-list.tsx';
import type { SizedColumn } from '../../shared/list/table/column.ts';
import { TwoLines } from '../../shared/list/two-line-cell.tsx';
import { ListProvider, useListSearch } from '../../shared/list/use-list.ts';
import { ViewTabs } from '../../shared/list/views/view-tabs.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { Highlight } from '../../shared/ui/highlight.tsx';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import { ContactActions } from './contact-actions.tsx';
import { contactInbox, statusTones } from './inbox-list.ts';

/** The inbox of contact messages, for administrators. */
export function ContactInboxPage() {
  const { t } = useTranslation('contact');
  const columns = useColumns();
  return (
    <ListProvider value={contactInbox}>
      <PageHeader />
      <ListCard label={t('title')} hasCards>
        <ViewTabs />
        <PagedList
          list={contactInbox}
          toolbar={<ListToolbar />}
          firstUse={<EmptyPanel icon={<Inbox />} title={t('first.title')} text={t('first.text')} />}
        >
          {(rows) => <ListRows {...rows} columns={columns} isTall />}
        </PagedList>
      </ListCard>
    </ListProvider>
  );
}

function useColumns(): SizedColumn<ContactMessage>[] {
  const { t } = useTranslation('contact');
  return [
    {
      id: 'sender',
      kind: 'name',
      title: t('columns.sender'),
      cell: ({ name, email }) => <Pair first={name} second={email} />,
      size: 220,
    },
    {
      id: 'subject',
      title: t('columns.subject'),
      inCard: 'bare',
      cell: ({ subject, message }) => <Pair first={subject} second={message} />,
      size: 320,
      minSize: 180,
      maxSize: 640,
    },
    {
      id: 'received',
      title: t('columns.received'),
      sortBy: 'created_at',
      look: 'quiet',
      cell: ({ created_at }) => <Timestamp value={created_at} />,
      size: 190,
      minSize: 168,
    },
    {
      id: 'status',
      title: t('columns.status'),
      inCard: 'badge',
      cell: ({ status }) => <Badge tone={statusTones[status]}>{t(`status.${status}`)}</Badge>,
      size: 130,
      minSize: 118,
    },
    {
      id: 'actions',
      kind: 'actions',
      title: t('list.actions'),
      cell: (contact) => <ContactActions contact={contact} />,
      size: 176,
    },
  ];
}

function Pair({ first, second }: { first: string; second: string }) {
  const q = useListSearch().search.q?.trim() ?? '';
  return (
    <TwoLines
      title={isolate(second)}
      first={
        <span>
          <Highlight text={first} part={q} />
        </span>
      }
      second={
        <small>
          <Highlight text={second} part={q} />
        </small>
      }
    />
  );
}
