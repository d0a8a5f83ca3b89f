import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../shared/api/client.ts';
import { paths } from '../../shared/paths.ts';
import { ButtonLink } from '../../shared/ui/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { FailedPanel } from '../../shared/ui/failed-panel.tsx';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { RefetchBar } from '../../shared/ui/refetch-bar.tsx';
import { useIsPhone } from '../../shared/ui/use-is-phone.ts';
import { useDelayed } from '../../shared/use-delayed.ts';
import { FirstUsePanel, NoMatchPanel } from './empty-panels.tsx';
import { LineCards, SkeletonCards } from './line-cards.tsx';
import styles from './lines.module.css';
import { LinesFooter } from './lines-footer.tsx';
import { LinesTable } from './lines-table.tsx';
import { LinesToolbar } from './lines-toolbar.tsx';
import { linesQuery } from './queries.ts';
import { isFiltered } from './search.ts';
import { useLinesSearch, usePaging } from './use-lines-search.ts';
import { ViewTabs } from './view-tabs.tsx';

export function LinesPage() {
  const { t } = useTranslation('lines');
  return (
    <>
      <PageHeader
        title={t('title')}
        actions={
          <ButtonLink to={paths.addLine()} variant="solid" icon={<Plus aria-hidden="true" />}>
            {t('addLine')}
          </ButtonLink>
        }
      />
      <Card flush className={styles.list} aria-label={t('title')}>
        <ViewTabs />
        <LinesList />
      </Card>
    </>
  );
}

const noPage = { items: [], next_cursor: null, total: null, total_is_exact: null };

function LinesList() {
  const { search } = useLinesSearch();
  const isPhone = useIsPhone();
  const { data, error, isPending, isFetching, refetch } = useQuery(linesQuery(search));
  const showsSkeleton = useDelayed(isPending);
  const paging = usePaging(data ?? noPage);

  const isEmpty = data?.items.length === 0;
  const isCursorStale =
    search.cursor !== undefined &&
    (isEmpty || (error instanceof ApiError && error.code === 'INVALID_CURSOR'));
  if (isCursorStale) {
    return <Navigate to={paths.lines()} search={{ ...search, cursor: undefined }} replace />;
  }
  if (!data && error) return <FailedPanel error={error} onRetry={refetch} />;
  if (isEmpty && !isFiltered(search)) return <FirstUsePanel />;

  const Rows = isPhone ? LineCards : LinesTable;
  const Skeleton = isPhone ? SkeletonCards : LinesTable;
  return (
    <>
      <LinesToolbar lines={data?.items} />
      <div className={styles.refetch}>
        <RefetchBar active={isFetching && !isPending} />
      </div>
      {isEmpty ? (
        <NoMatchPanel />
      ) : data ? (
        <>
          <Rows lines={data.items} />
          <LinesFooter paging={paging} />
        </>
      ) : (
        <Skeleton isVisible={showsSkeleton} />
      )}
      <Announcement isPending={showsSkeleton} total={data ? paging.total : null} />
    </>
  );
}

/** For readers of the screen: what a new search or page has brought. */
function Announcement({ isPending, total }: { isPending: boolean; total: number | null }) {
  const { t } = useTranslation('lines');
  return (
    <p className="visually-hidden" role="status">
      {isPending && t('loading')}
      {total !== null && t('found', { count: total })}
    </p>
  );
}
