import { pushStates } from '@linekeeper/contract/sync.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronDown, CircleCheck, RefreshCw, SearchX } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { paths } from '../../shared/paths.ts';
import type { SyncSearch } from '../../shared/sync-search.ts';
import { Button } from '../../shared/ui/button.tsx';
import { ButtonLink } from '../../shared/ui/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { EmptyPanel } from '../../shared/ui/empty-panel.tsx';
import { FailedPanel } from '../../shared/ui/failed-panel.tsx';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { PushTable } from './push-table.tsx';
import { pushesQuery, serverNamesQuery, useRetryPushes } from './queries.ts';
import styles from './sync.module.css';

function useSyncSearch(): SyncSearch {
  return useSearch({ strict: false });
}

/** What card servers have not taken yet, until they have. */
export function SyncPage() {
  const { t } = useTranslation('sync');
  const { t: tServers } = useTranslation('servers');
  return (
    <>
      <PageHeader
        title={t('title')}
        back={{ to: paths.servers(), label: tServers('title') }}
        actions={<RetryAll />}
      />
      <p className={styles.intro}>{t('text')}</p>
      <Card flush>
        <Filters />
        <Pushes />
      </Card>
    </>
  );
}

function RetryAll() {
  const { t } = useTranslation('sync');
  const errorText = useErrorText();
  const retry = useRetryPushes();
  const { data } = useInfiniteQuery(pushesQuery({}));
  if (!data?.total) return null;
  return (
    <Button
      icon={<RefreshCw aria-hidden="true" />}
      pending={retry.isPending}
      onClick={() =>
        retry.mutate('all', {
          onSuccess: ({ retried }) => toast.success(t('retried', { count: retried })),
          onError: (error) => toast.error(errorText(error)),
        })
      }
    >
      {t('retryAll')}
    </Button>
  );
}

function Filters() {
  const { t } = useTranslation('sync');
  const search = useSyncSearch();
  return (
    <div className={styles.filters}>
      <nav className={styles.states} aria-label={t('states')}>
        {[undefined, ...pushStates].map((state) => (
          <Link
            key={state ?? 'all'}
            to={paths.sync()}
            search={{ ...search, state }}
            aria-current={search.state === state ? 'true' : undefined}
          >
            {state ? t(`state.${state}`) : t('all')}
          </Link>
        ))}
      </nav>
      <ServerFilter />
    </div>
  );
}

function ServerFilter() {
  const { t } = useTranslation('sync');
  const search = useSyncSearch();
  const navigate = useNavigate();
  const id = useId();
  const { data: servers = [] } = useQuery(serverNamesQuery());
  return (
    <div className={styles.server}>
      <label htmlFor={id}>{t('server')}</label>
      <span>
        <select
          id={id}
          value={search.server ?? ''}
          onChange={({ target }) =>
            navigate({ to: paths.sync(), search: { ...search, server: target.value || undefined } })
          }
        >
          <option value="">{t('allServers')}</option>
          {servers.map((server) => (
            <option key={server.id} value={server.id}>
              {server.server_name}
            </option>
          ))}
        </select>
        <ChevronDown size={16} aria-hidden="true" />
      </span>
    </div>
  );
}

function Pushes() {
  const { t } = useTranslation('sync');
  const search = useSyncSearch();
  const pushes = useInfiniteQuery(pushesQuery(search));
  const { data } = pushes;
  if (!data) {
    if (pushes.isError) {
      return <FailedPanel error={pushes.error} onRetry={() => pushes.refetch()} />;
    }
    return <div className={styles.loading} role="status" aria-label={t('loading')} />;
  }
  if (data.items.length === 0)
    return <Nothing isFiltered={Boolean(search.state || search.server)} />;
  return (
    <>
      <PushTable pushes={data.items} />
      <div className={styles.footer}>
        <span role="status">{t(data.isExact ? 'total' : 'totalMany', { count: data.total })}</span>
        {pushes.hasNextPage && (
          <Button pending={pushes.isFetchingNextPage} onClick={() => pushes.fetchNextPage()}>
            {t('showMore')}
          </Button>
        )}
      </div>
    </>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation('sync');
  if (!isFiltered) {
    return <EmptyPanel icon={<CircleCheck />} title={t('emptyTitle')} text={t('emptyText')} />;
  }
  return (
    <EmptyPanel
      icon={<SearchX />}
      title={t('noMatch')}
      action={<ButtonLink to={paths.sync()}>{t('clear')}</ButtonLink>}
    />
  );
}
