import {
  countLineChoices,
  countLines,
  type Line,
  linesCsv,
  listLines,
} from '@linekeeper/contract/lines/lines.ts';
import { linesList } from '@linekeeper/contract/lists/lists.ts';
import { useQuery } from '@tanstack/react-query';
import { Download, EllipsisVertical, Route } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccountFilter } from '#domain/accounts/use-account-filter.tsx';
import { LineButtons, RENEW_WIDTH, SHARE_WIDTH, useLineColumns } from '#domain/lines/columns.tsx';
import { useLinePlace, useOpenLine } from '#domain/lines/line-place.ts';
import { LineRow } from '#domain/lines/line-row.tsx';
import { OnlineDot } from '#domain/lines/presence.tsx';
import {
  useHiddenLineColumns,
  useLineFilters,
  useLineTexts,
} from '#domain/lines/use-line-list.tsx';
import { usePriceOf } from '#domain/prices/prices.ts';
import type { PreviewedAction } from '#features/lines/bulk/bulk-change.ts';
import { LINES_LIST_ID } from '#features/lines/focus-list.ts';
import { focusedLine, focusRow, lineBeside } from '#features/lines/line/line-rows.ts';
import { LineDialogs } from '#features/lines/line-dialogs.tsx';
import { defineList } from '#kit/list/define-list.ts';
import { useSearchText } from '#kit/list/found.tsx';
import { ListCard } from '#kit/list/list-body.tsx';
import { ListRows, type ShownRows } from '#kit/list/list-rows.tsx';
import { ListSelection } from '#kit/list/list-selection.tsx';
import { ListToolbar } from '#kit/list/list-toolbar.tsx';
import { NoMatchPanel } from '#kit/list/no-match-panel.tsx';
import { PagedList } from '#kit/list/paged-list.tsx';
import { useSelection } from '#kit/list/selection/selection-context.tsx';
import { BulkBarPlaceholder } from '#kit/list/toolbar.tsx';
import { ListProvider, listLink, useAskedPage, useListSearch } from '#kit/list/use-list.ts';
import { useListDownload } from '#kit/list/use-list-download.ts';
import { ViewTabs } from '#kit/list/views/view-tabs.tsx';
import { LazyMenuButton } from '#kit/overlays/lazy-menu-button.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { AddLink, ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { useSingleKey } from '#kit/ui/use-single-key.ts';
import { callQuery } from '#platform/api/call-query.ts';
import { useHasLinePanel, useIsBesideNavigation } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { prefetchOnceUsed } from '#platform/start/later.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { chipsOf, currentView } from '#screens/address.ts';
import { besideLine, hiddenColumns } from './line-columns.ts';
import { NeverButtons, NeverRow, neverColumns } from './never-connected.tsx';

export function LinesPage() {
  const { t } = useTranslation('lines');
  return (
    <ListProvider value={lines}>
      <PageHeader
        actions={
          <>
            <ListMenu />
            <SellLink />
          </>
        }
      />
      <ListCard id={LINES_LIST_ID} label={t('nav.lines')} hasCards>
        <ViewTabs />
        <ListSelection>
          <DialogsOfPage>
            <PagedList
              list={lines}
              toolbar={<LinesToolbar />}
              firstUse={<FirstUsePanel />}
              noMatch={<NoLines />}
            >
              {(rows) => <Lines {...rows} />}
            </PagedList>
          </DialogsOfPage>
        </ListSelection>
      </ListCard>
    </ListProvider>
  );
}

/** The link to sell a line, for wide windows; a phone has it in its bottom bar. */
function SellLink() {
  const { t } = useTranslation('lines');
  return (
    <span className="only-wide">
      <AddLink to="/users/add">{t('nav.addLine')}</AddLink>
    </span>
  );
}

function Lines(shown: ShownRows<Line>) {
  const { t } = useTranslation('lines');
  const all = useLineColumns(useSearchText());
  const isNarrow = useIsBesideLine();
  const isNever = useView() === 'never_connected';
  const columns = useMemo(() => {
    if (isNarrow) return besideLine(all);
    return isNever ? neverColumns(all) : all;
  }, [all, isNarrow, isNever]);
  const Buttons = isNever ? NeverButtons : LineButtons;
  useLineKeys(shown.rows);
  const selectLabel = useCallback(({ username }: Line) => t('select.one', { username }), [t]);
  return (
    <ListRows
      {...shown}
      columns={columns}
      Actions={isNarrow ? undefined : Buttons}
      actionsWidth={isNever ? SHARE_WIDTH : RENEW_WIDTH}
      selectLabel={selectLabel}
      Card={isNever ? NeverRow : LineRow}
      isFlat
    />
  );
}

const useView = () => currentView(linesList, useListSearch().search);

/** True while an open line beside the list takes some of its columns. */
function useIsBesideLine(): boolean {
  const { openId } = useLinePlace();
  const isWide = useIsBesideNavigation();
  const hasPanel = useHasLinePanel();
  return openId !== undefined && isWide && hasPanel;
}

/**
 * The dialogs, which stay mounted in the empty states, because the last line may leave the list
 * while its dialog is open.
 */
function DialogsOfPage({ children }: { children: ReactNode }) {
  return <LineDialogs lines={useAskedPage(lines)?.items}>{children}</LineDialogs>;
}

const AllRenewed = lazyPart(() => import('#domain/lines/all-renewed.tsx'), 'NothingExpires', {
  isPart: true,
});

/** The message for an empty list. The view of lines that expire soon is empty when the day's work is done. */
function NoLines() {
  const { search } = useListSearch();
  const isDone = useView() === 'expiring' && !search.q;
  return isDone && chipsOf(linesList, search).length === 0 ? (
    <AllRenewed />
  ) : (
    <NoMatchPanel more={<WithBelow />} />
  );
}

function FirstUsePanel() {
  const { t } = useTranslation('lines');
  const { is_admin, credits } = useMe();
  const price = usePriceOf()(1);
  return (
    <EmptyPanel
      icon={<Route />}
      title={t('empty.firstTitle')}
      text={
        is_admin || price === undefined
          ? t('empty.firstText')
          : `${t('empty.firstText')} ${t('empty.balance', { credits: t('credits.amount', { count: credits }), price })}`
      }
      action={
        <div className="flex items-center flex-wrap gap-2">
          <AddLink to="/users/add">{t('nav.addLine')}</AddLink>
          <WithBelow />
        </div>
      }
    />
  );
}

const LinesBulkBar = lazyPart(() => import('#features/lines/bulk/bulk-bar.tsx'), 'LinesBulkBar', {
  before: BulkBarPlaceholder,
  texts: 'bulk',
});

/**
 * Search and filters, or the bulk actions while lines are selected; below them the filter chips.
 */
function LinesToolbar() {
  const { t } = useTranslation('lines');
  const { filterKey } = useSelection();
  const isNever = useView() === 'never_connected';
  return (
    <>
      <ListToolbar>
        <SelectionBar key={filterKey} />
      </ListToolbar>
      {isNever && (
        <p className="text-text-2 pt-0 px-[var(--list-side,24px)] pb-4 phone:pt-0 phone:px-0 phone:pb-2">
          {t('neverNote')}
        </p>
      )}
    </>
  );
}

/** The bar of the selection, while lines are selected or a bulk dialog is open. */
function SelectionBar() {
  const { isEmpty } = useSelection();
  const [action, setAction] = useState<PreviewedAction>();
  if (isEmpty && !action) return null;
  return <LinesBulkBar action={action} onAction={setAction} />;
}

/** Returns the query of the lines that are counted: all of the list, without its filters. */
function useCounted() {
  const { below } = useListSearch().search;
  const with_below = below === true ? 'true' : 'false';
  return { query: { with_below } } as const;
}

/** Number of lines in each view, for the list's tabs. */
const useLineCounts = () => useQuery(callQuery('lines', countLines, useCounted()));

function useViewCounts() {
  const { data } = useLineCounts();
  if (!data) return undefined;
  const { has_below: _, ...counts } = data;
  return counts;
}

/** Number of lines for each value of a filter, for the filter panel. */
const useChoiceCounts = () => useQuery(callQuery('lines', countLineChoices, useCounted())).data;

const useHasBelow = () => useLineCounts().data?.has_below ?? false;

function useFilters() {
  const { t } = useTranslation('lines');
  const withBelow = t('filter.withBelow');
  const options = useHasBelow() && { options: [{ value: 'true', label: withBelow }] };
  return {
    ...useLineFilters(),
    below: { name: t('nav.lines'), valueText: () => withBelow, ...options },
    owner: useAccountFilter('owner', t('field.owner')),
  };
}

/** The switch that adds the lines of accounts below, if the list leaves out any. */
function WithBelow() {
  const { t } = useTranslation('lines');
  const { search } = useListSearch();
  const hasBelow = useHasBelow();
  if (!hasBelow || search.below || search.owner) return null;
  const link = listLink(lines, { ...search, below: true, cursor: undefined });
  return <ButtonLink {...link}>{t('filter.withBelow')}</ButtonLink>;
}

export const lines = defineList(linesList, {
  path: '/users/all',
  // Every key begins with 'lines', by which live changes of lines make the data stale.
  queryKey: ['lines', 'list'],
  endpoint: listLines,
  texts: 'lines',
  useMoreTexts: useLineTexts,
  useFilters,
  hides: hiddenColumns,
  useHidden: useHiddenLineColumns,
  viewTones: {
    active: 'success',
    expiring: 'warning',
    expired: 'error',
    trials: 'info',
    not_synced: 'warning',
    long_names: 'warning',
  },
  viewsIfAny: ['not_synced', 'long_names', 'online', 'never_connected'],
  viewOrders: { never_connected: 'added_date' },
  viewMarks: { online: <OnlineDot /> },
  useViewCounts,
  useChoiceCounts,
});

const ListMenuItems = lazyPart(() => import('./list-menu-items.tsx'), 'ListMenuItems', {
  texts: 'bulk',
});

function ListMenu() {
  const { t } = useTranslation('lines');
  const isNarrow = useIsBesideLine();
  const downloadLines = useListDownload({ csv: linesCsv });
  useEffect(() => prefetchOnceUsed([ListMenuItems.fetch]), []);
  return (
    <>
      {!isNarrow && (
        <span className="only-wide">
          <Button icon={<Download aria-hidden="true" />} onClick={downloadLines}>
            {t('action.downloadCsv')}
          </Button>
        </span>
      )}
      <LazyMenuButton
        fetch={ListMenuItems.fetch}
        button={(opener) => (
          <IconButton {...opener} label={t('places.more')}>
            <EllipsisVertical size={20} aria-hidden="true" />
          </IconButton>
        )}
        menu={(opened) => <ListMenuItems {...opened} />}
      />
    </>
  );
}

/**
 * Keyboard shortcuts of the list: `j` and `k` go to the next and previous line, which the panel beside the list shows
 * while it is open, and `x` selects the line. Enter opens the line, because its name, a link, has the focus.
 */
function useLineKeys(rows: readonly Line[] = []): void {
  const { openId, part } = useLinePlace();
  const { open } = useOpenLine();
  const { toggle } = useSelection();
  const current = () => openId ?? focusedLine();
  const go = (step: 1 | -1) => {
    const next = lineBeside(rows, current(), step);
    if (!next) return;
    const isInPanel = document.activeElement?.closest('aside') !== null;
    if (openId) void open(next, { part, replace: true });
    if (!openId || !isInPanel) focusRow(next);
  };
  useSingleKey('j', () => go(1));
  useSingleKey('k', () => go(-1));
  useSingleKey('x', () => {
    const id = current();
    if (id)
      toggle(
        rows.map((row) => row.id),
        id,
        false,
      );
  });
  useSingleKey('e', () => {
    const id = current();
    if (id && id !== openId) void open(id, { part: 'edit' });
  });
}
