import { type AuditEntry, auditCsv } from '@linekeeper/contract/audit.ts';
import { useTranslation } from 'react-i18next';
import { useActText } from '../../shared/activity/use-act-text.ts';
import { formatMoment } from '../../shared/format/format-moment.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { column, type ListColumn } from '../../shared/list/columns.tsx';
import { DownloadButton } from '../../shared/list/download-button.tsx';
import { ListPage } from '../../shared/list/list-page.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import { AuditCard } from './audit-card.tsx';
import { Act, Actor, SubjectLink, Summary } from './audit-cells.tsx';
import { AuditDetail } from './audit-detail.tsx';
import { audit } from './audit-list.ts';
import { SealsBadge } from './seals-badge.tsx';

/** The audit log: who changed what, for administrators. */
export function AuditPage() {
  const { t, i18n } = useTranslation('audit');
  const actText = useActText();
  const label = ({ created_at, action }: AuditEntry) =>
    `${t('open', { time: formatMoment(created_at, i18n.language) })}, ${actText(action)}`;
  return (
    // The first administrator's own account is the first entry, so there is no first use.
    <ListPage
      list={audit}
      header={<PageHeader badges={<SealsBadge />} actions={<DownloadButton csv={auditCsv} />} />}
    >
      {(rows) => (
        <ListRows
          {...rows}
          columns={columns}
          Card={AuditCard}
          detail={{ label, Content: AuditDetail }}
        />
      )}
    </ListPage>
  );
}

const columns: ListColumn<AuditEntry>[] = [
  column.moment('when', ({ created_at }) => created_at, { kind: 'name', sortBy: 'created_at' }),
  column.person('who', (entry) => <Actor entry={entry} />),
  column.summary('what', (entry) => <Act entry={entry} />, { look: 'strong' }),
  column.text('about', (entry) => <SubjectLink entry={entry} />),
  column.summary('details', (entry) => <Summary entry={entry} />, { look: 'quiet' }),
];
