import type { Push } from '@linekeeper/contract/servers/sync.ts';
import { useSearch } from '@tanstack/react-router';
import { CircleCheck, RefreshCw } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { ListCard } from '../../shared/list/list-body.tsx';
import { ListRows, type ShownRows } from '../../shared/list/list-rows.tsx';
import { ListSelection } from '../../shared/list/list-selection.tsx';
import { ListToolbar } from '../../shared/list/list-toolbar.tsx';
import { PagedList } from '../../shared/list/paged-list.tsx';
import { BulkBar } from '../../shared/list/selection/bulk-bar.tsx';
import { useSelection } from '../../shared/list/selection/selection-context.tsx';
import { ListProvider, useTotal } from '../../shared/list/use-list.ts';
import { ViewTabs } from '../../shared/list/views/view-tabs.tsx';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { OrphansLink } from './orphans/orphans-link.tsx';
import { OrphansTab } from './orphans/orphans-tab.tsx';
import { pushColumns, RetryOne } from './push-columns.tsx';
import { pushes } from './pushes-list.ts';
import styles from './sync.module.css';
import { useRetry } from './use-retry.ts';

/** Pushes that card servers have not accepted yet, and usernames that the panel does not know. */
export function SyncPage() {
  const { t } = useTranslation('sync');
  const { tab } = useSearch({ from: '/shell/cccam-servers/sync' });
  const isOrphans = tab === 'orphans';
  return (
    <ListProvider value={pushes}>
      <PageHeader actions={!isOrphans && <RetryAll />} />
      <p className={styles.intro}>{t(isOrphans ? 'orphans.text' : 'text')}</p>
      <ListCard label={t(isOrphans ? 'orphans.title' : 'title')} hasCards>
        <ViewTabs more={<OrphansLink isCurrent={isOrphans} />} isElsewhere={isOrphans} />
        {isOrphans ? <OrphansTab /> : <PendingTab />}
      </ListCard>
    </ListProvider>
  );
}

function PendingTab() {
  const { t } = useTranslation('sync');
  return (
    <ListSelection>
      <PagedList
        list={pushes}
        toolbar={
          <ListToolbar>
            <RetrySelected />
          </ListToolbar>
        }
        firstUse={
          <EmptyPanel icon={<CircleCheck />} title={t('emptyTitle')} text={t('emptyText')} />
        }
      >
        {(rows) => <PushRows {...rows} />}
      </PagedList>
    </ListSelection>
  );
}

function PushRows(rows: ShownRows<Push>) {
  const { t } = useTranslation('sync');
  const selectLabel = useCallback(
    ({ username, server_name: server }: Push) => t('selectOne', { username, server }),
    [t],
  );
  return <ListRows {...rows} columns={pushColumns} Actions={RetryOne} selectLabel={selectLabel} />;
}

function RetryAll() {
  const { t } = useTranslation('sync');
  const { retryMany, isPending } = useRetry();
  const { total } = useTotal({});
  if (!total) return null;
  return (
    <Button
      icon={<RefreshCw aria-hidden="true" />}
      pending={isPending}
      onClick={() => retryMany({ all: true })}
    >
      {t('retryAll')}
    </Button>
  );
}

function RetrySelected() {
  const { t } = useTranslation('sync');
  const { retryMany, isPending } = useRetry();
  const { isEmpty, selection, clear } = useSelection();
  if (isEmpty) return null;
  const ids = [...selection.ids];
  return (
    <BulkBar
      label={t('selected')}
      main={{
        name: 'retry',
        label: t('retrySelected', { count: ids.length }),
        icon: <RefreshCw aria-hidden="true" />,
        isPending,
        act: () => retryMany({ ids }).then(clear),
      }}
    />
  );
}
