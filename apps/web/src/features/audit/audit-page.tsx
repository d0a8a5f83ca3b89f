import { type AuditEntry, auditCsv } from '@linekeeper/contract/audit.ts';
import { auditList } from '@linekeeper/contract/lists/lists.ts';
import { useTranslation } from 'react-i18next';
import { unpagedQuery } from '../../screens/address.ts';
import { useActText } from '../../shared/activity/use-act-text.ts';
import { addressOfCall } from '../../shared/api/client.ts';
import { formatMoment } from '../../shared/format/format-moment.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { DownloadButton } from '../../shared/list/download-button.tsx';
import { ListCard } from '../../shared/list/list-body.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import { ListToolbar } from '../../shared/list/list-toolbar.tsx';
import { PagedList } from '../../shared/list/paged-list.tsx';
import type { SizedColumn } from '../../shared/list/table/column.ts';
import { ListProvider } from '../../shared/list/use-list.ts';
import { ViewTabs } from '../../shared/list/views/view-tabs.tsx';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import { AuditCard } from './audit-card.tsx';
import { Act, Actor, SubjectLink, Summary } from './audit-cells.tsx';
import { AuditDetail } from './audit-detail.tsx';
import { audit } from './audit-list.tsx';
import { SealsBadge } from './seals-badge.tsx';

/** The audit log: who changed what, for administrators. */
export function AuditPage() {
  const { t, i18n } = useTranslation('audit');
  const columns = useColumns();
  const actText = useActText();
  const label = ({ created_at, action }: AuditEntry) =>
    `${t('open', { time: formatMoment(created_at, i18n.language) })}, ${actText(action)}`;
  return (
    <ListProvider value={audit}>
      <PageHeader
        badges={<SealsBadge />}
        actions={
          <DownloadButton
            addressOf={(search) =>
              addressOfCall(auditCsv, { query: unpagedQuery(auditList, search) })
            }
          />
        }
      />
      <ListCard label={t('title')} hasCards>
        <ViewTabs />
        {/* The first administrator's own account is the first entry. */}
        <PagedList list={audit} toolbar={<ListToolbar />} firstUse={null}>
          {(rows) => (
            <ListRows
              {...rows}
              columns={columns}
              Card={AuditCard}
              detail={{ label, Content: AuditDetail }}
            />
          )}
        </PagedList>
      </ListCard>
    </ListProvider>
  );
}

function useColumns(): SizedColumn<AuditEntry>[] {
  const { t } = useTranslation('audit');
  return [
    {
      id: 'when',
      kind: 'name',
      title: t('columns.when'),
      sortBy: 'created_at',
      look: 'quiet',
      cell: ({ created_at }) => <Timestamp value={created_at} />,
      size: 168,
      maxSize: 176,
      scrolledSize: 184,
    },
    {
      id: 'who',
      title: t('columns.who'),
      cell: (entry) => <Actor entry={entry} />,
      size: 200,
      minSize: 150,
      maxSize: 260,
    },
    {
      id: 'what',
      title: t('columns.what'),
      look: 'strong',
      cell: (entry) => <Act entry={entry} />,
      size: 232,
      minSize: 210,
      maxSize: 400,
    },
    {
      id: 'about',
      title: t('columns.about'),
      cell: (entry) => <SubjectLink entry={entry} />,
      size: 176,
      minSize: 130,
      maxSize: 280,
    },
    {
      id: 'details',
      title: t('columns.details'),
      look: 'quiet',
      cell: (entry) => <Summary entry={entry} />,
      size: 200,
      minSize: 120,
      maxSize: 480,
    },
  ];
}
