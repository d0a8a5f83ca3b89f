import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { listLines } from '@linekeeper/contract/lines.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../shared/api/client.ts';
import { paths } from '../../shared/paths.ts';
import { preferencesQuery } from '../../shared/preferences.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { ButtonLink } from '../../shared/ui/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { FailedPanel } from '../../shared/ui/failed-panel.tsx';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { RefetchBar } from '../../shared/ui/refetch-bar.tsx';
import { useIsPhone } from '../../shared/ui/use-is-phone.ts';
import { useDelayed } from '../../shared/use-delayed.ts';
import { FirstUsePanel, NoMatchPanel } from './empty-panels.tsx';
import { LINES_LIST_ID, LineActionsProvider } from './line-actions.tsx';
import { LineCards, SkeletonCards } from './line-cards.tsx';
import styles from './lines.module.css';
import { LinesFooter } from './lines-footer.tsx';
import { LinesTable } from './lines-table.tsx';
import { LinesToolbar } from './lines-toolbar.tsx';
import { ListMenu } from './list-menu.tsx';
import { linesQuery } from './queries.ts';
import { isFiltered } from './search.ts';
import { useLinesSearch, usePaging } from './use-lines-search.ts';
import { SelectionProvider } from './use-selection.tsx';
import { ViewTabs } from './view-tabs.tsx';

export function LinesPage() {
  const { t } = useTranslation('lines');
  return (
    <>
      <PageHeader
        title={t('title')}
        actions={
          <>
            <ListMenu />
            <ButtonLink to={paths.addLine()} variant="solid" icon={<Plus aria-hidden="true" />}>
              {t('addLine')}
            </ButtonLink>
          </>
        }
      />
      <Card flush id={LINES_LIST_ID} tabIndex={-1} className={styles.list} aria-label={t('title')}>
        <ViewTabs />
        <SelectionProvider>
          <LinesList />
        </SelectionProvider>
      </Card>
    </>
  );
}

const noPage = { items: [], next_cursor: null, total: null, total_is_exact: null };

const LONG_MS = 10_000;

/** The page the address asks for; until it is there the one before, unless that had no lines. */
function useLinesPage() {
  const { search } = useLinesSearch();
  const queryClient = useQueryClient();
  const asked = linesQuery(search);
  const { data, isPlaceholderData, error, isFetching, refetch } = useQuery(asked);
  const [last, setLast] = useState(data);
  if (data && data !== last) setLast(data);
  // Rows drawn before the columns are known would be drawn twice.
  const { isPending } = useQuery(preferencesQuery());
  const isWaiting = isPending || (isPlaceholderData && data?.items.length === 0);
  // Without a connection what was shown last is better than nothing; the shell says that it is old.
  const page = isWaiting ? undefined : (data ?? (isUnreachable(error) ? last : undefined));
  const isLate = useDelayed(isFetching && (!page || isPlaceholderData), LONG_MS);
  const retry = async () => {
    // A call that hangs would be waited for once more.
    await queryClient.cancelQueries({ queryKey: asked.queryKey });
    void refetch();
  };
  return { page, error, isFetching, isLate, retry };
}

function isUnreachable(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 0;
}

function LinesList() {
  const { search } = useLinesSearch();
  const { page, error, isFetching, isLate, retry } = useLinesPage();
  const isEmpty = page?.items.length === 0;
  const isCursorStale = isEmpty || (error instanceof ApiError && error.code === 'INVALID_CURSOR');

  if (search.cursor && isCursorStale) {
    return <Navigate to={paths.lines()} search={{ ...search, cursor: undefined }} replace />;
  }
  if (error && !page) {
    return (
      <>
        <LinesToolbar lines={undefined} />
        <div className={styles.panel}>
          <FailedPanel error={error} onRetry={retry} />
        </div>
      </>
    );
  }
  if (isEmpty && !isFiltered(search)) {
    return (
      <div className={styles.panel}>
        <FirstUsePanel />
      </div>
    );
  }
  return (
    <>
      <LinesToolbar lines={page?.items} />
      <div className={styles.refetch}>
        <RefetchBar active={isFetching && page !== undefined} />
      </div>
      {isLate && <StillLoading onRetry={retry} />}
      {isEmpty ? (
        <div className={styles.panel} role="status">
          <NoMatchPanel />
        </div>
      ) : (
        <Lines page={page} />
      )}
    </>
  );
}

function StillLoading({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('lines');
  const { t: common } = useTranslation();
  return (
    <div className={styles.late}>
      <Banner
        tone="info"
        title={t('stillLoading')}
        action={
          <Button size="small" onClick={onRetry}>
            {common('action.retry')}
          </Button>
        }
        isAlert
      >
        {t('stillLoadingText')}
      </Banner>
    </div>
  );
}

/** Rows or cards with the footer below them; skeletons while there are none yet. */
function Lines({ page }: { page: Reply<typeof listLines> | undefined }) {
  const { t } = useTranslation('lines');
  const isPhone = useIsPhone();
  const showsSkeleton = useDelayed(page === undefined);
  const paging = usePaging(page ?? noPage);
  const List = isPhone ? LineCards : LinesTable;
  const Skeleton = isPhone ? SkeletonCards : LinesTable;
  return (
    <>
      {page ? (
        <LineActionsProvider lines={page.items}>
          <List lines={page.items} />
          <LinesFooter paging={paging} />
        </LineActionsProvider>
      ) : (
        <Skeleton isVisible={showsSkeleton} />
      )}
      <p className="visually-hidden" role="status">
        {showsSkeleton && t('loading')}
      </p>
    </>
  );
}
