import type { RedeemCode } from '@linekeeper/contract/credits/redeem-codes.ts';
import { Plus, Tickets } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { ListCard } from '../../shared/list/list-body.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import { ListToolbar } from '../../shared/list/list-toolbar.tsx';
import { PagedList } from '../../shared/list/paged-list.tsx';
import type { SizedColumn } from '../../shared/list/table/column.ts';
import { ListProvider, useListSearch } from '../../shared/list/use-list.ts';
import { ViewTabs } from '../../shared/list/views/view-tabs.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { CopyButton } from '../../shared/ui/buttons/copy-button.tsx';
import { Highlight } from '../../shared/ui/highlight.tsx';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import { Row } from '../../shared/ui/vocabulary.tsx';
import { CodeActions } from './code-actions.tsx';
import styles from './codes.module.css';
import { redeemCodes, statusTones } from './codes-list.tsx';
import { ListFiles } from './list-files.tsx';

/** Every redeem code, for administrators. */
export function RedeemCodesPage() {
  const { t } = useTranslation('redeemCodes');
  const columns = useColumns();
  const add = (
    <ButtonLink to="/redeem-codes/add" variant="solid" icon={<Plus aria-hidden="true" />}>
      {t('addCodes')}
    </ButtonLink>
  );
  return (
    <ListProvider value={redeemCodes}>
      <PageHeader
        actions={
          <>
            <ListFiles />
            {add}
          </>
        }
      />
      <ListCard label={t('title')} hasCards>
        <ViewTabs />
        <PagedList
          list={redeemCodes}
          toolbar={<ListToolbar />}
          firstUse={
            <EmptyPanel
              icon={<Tickets />}
              title={t('firstTitle')}
              text={t('firstText')}
              action={add}
            />
          }
        >
          {(rows) => <ListRows {...rows} columns={columns} />}
        </PagedList>
      </ListCard>
    </ListProvider>
  );
}

function useColumns(): SizedColumn<RedeemCode>[] {
  const { t } = useTranslation('redeemCodes');
  return [
    {
      id: 'code',
      kind: 'name',
      title: t('columns.code'),
      sortBy: 'code',
      cell: ({ code }) => <CodeName code={code} />,
      size: 250,
      minSize: 240,
      scrolledSize: 276,
    },
    {
      id: 'credits',
      title: t('columns.credits'),
      sortBy: 'credits',
      align: 'end',
      look: 'strong',
      cell: ({ credits }) => t('number', { value: credits }),
      size: 92,
      minSize: 84,
    },
    {
      id: 'label',
      title: t('columns.label'),
      inCard: 'bare',
      cell: ({ description }) => description && <CodeLabel text={description} />,
      size: 140,
      // Less than a code, which is of no use when it is cut.
      minSize: 88,
    },
    {
      id: 'uses',
      title: t('columns.uses'),
      sortBy: 'times_used',
      align: 'end',
      cell: ({ times_used: used, max_uses: maximum }) => t('usesOf', { used, maximum }),
      size: 108,
      minSize: 98,
    },
    {
      id: 'expires',
      title: t('columns.expires'),
      sortBy: 'expires_at',
      look: 'quiet',
      cell: ({ expires_at: at }) => at && <Timestamp value={at} />,
      size: 190,
      minSize: 174,
    },
    {
      id: 'status',
      title: t('columns.status'),
      inCard: 'bare',
      cell: ({ status }) => <Badge tone={statusTones[status]}>{t(`status.${status}`)}</Badge>,
      size: 124,
      minSize: 118,
    },
    {
      id: 'created',
      title: t('columns.created'),
      sortBy: 'created_at',
      look: 'quiet',
      cell: ({ created_at }) => <Timestamp value={created_at} />,
      size: 190,
      minSize: 168,
    },
    {
      id: 'actions',
      kind: 'actions',
      title: t('list.actions'),
      cell: (code) => <CodeActions code={code} />,
      size: 60,
    },
  ];
}

const useSearched = () => useListSearch().search.q?.trim() ?? '';

function CodeName({ code }: { code: string }) {
  const { t } = useTranslation('redeemCodes');
  return (
    <Row as="span" gap={4} className={styles.code}>
      <Highlight text={code} part={useSearched()} className={styles.cut} />
      <CopyButton value={code} label={t('copy', { code })} />
    </Row>
  );
}

function CodeLabel({ text }: { text: string }) {
  return <Highlight text={text} part={useSearched()} className={styles.cut} />;
}
