import { useInfiniteQuery } from '@tanstack/react-query';
import { Activity, Plus, ServerIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/paths.ts';
import { Button } from '../../shared/ui/button.tsx';
import { ButtonLink } from '../../shared/ui/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { EmptyPanel } from '../../shared/ui/empty-panel.tsx';
import { FailedPanel } from '../../shared/ui/failed-panel.tsx';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { serversQuery } from './queries.ts';
import { ServerCard } from './server-card.tsx';
import { ServerSkeletons } from './server-skeletons.tsx';
import styles from './servers.module.css';
import { useFocusWhenShorter } from './use-focus-when-shorter.ts';
import { useTestAllServers } from './use-server-tests.ts';

function useServers() {
  return useInfiniteQuery(serversQuery());
}

export function ServersPage() {
  const { t } = useTranslation('servers');
  const servers = useServers();
  // Also while loading, so that nothing moves when the cards come.
  const hasActions = servers.isPending || Boolean(servers.data?.length);
  return (
    <>
      <PageHeader title={t('title')} actions={hasActions && <HeaderActions />} />
      <ServerList servers={servers} />
    </>
  );
}

function HeaderActions() {
  const { t } = useTranslation('servers');
  const testAll = useTestAllServers();
  return (
    <div className={styles.headerActions}>
      <Button
        icon={<Activity aria-hidden="true" />}
        pending={testAll.isPending}
        onClick={() => testAll.mutate()}
      >
        {t('test.all')}
      </Button>
      <ButtonLink to={paths.addServer()} variant="solid" icon={<Plus aria-hidden="true" />}>
        {t('addServer')}
      </ButtonLink>
    </div>
  );
}

function ServerList({ servers }: { servers: ReturnType<typeof useServers> }) {
  const { t } = useTranslation('servers');
  const list = useFocusWhenShorter<HTMLUListElement>(servers.data?.length ?? 0);
  if (servers.data === undefined) {
    if (servers.isPending) return <ServerSkeletons />;
    return (
      <Card>
        <FailedPanel error={servers.error} onRetry={() => servers.refetch()} />
      </Card>
    );
  }
  if (servers.data.length === 0) return <NoServers />;
  return (
    <>
      <ul ref={list} tabIndex={-1} className={styles.grid}>
        {servers.data.map((server) => (
          <ServerCard key={server.id} server={server} />
        ))}
      </ul>
      {servers.hasNextPage && (
        <div className={styles.more}>
          <Button pending={servers.isFetchingNextPage} onClick={() => servers.fetchNextPage()}>
            {t('showMore')}
          </Button>
        </div>
      )}
    </>
  );
}

export function NoServers() {
  const { t } = useTranslation('servers');
  return (
    <Card>
      <EmptyPanel
        icon={<ServerIcon />}
        title={t('addFirstServer')}
        text={t('firstServerText')}
        action={
          <ButtonLink to={paths.addServer()} variant="solid" icon={<Plus aria-hidden="true" />}>
            {t('addServer')}
          </ButtonLink>
        }
      />
    </Card>
  );
}
