import type { SavedView } from '@linekeeper/contract/lists/preferences.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bookmark, Pencil, Plus } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ListDefinition,
  listLink,
  useListDefinition,
  useListSearch,
  useNeedsSearch,
} from '#kit/list/use-list.ts';
import { useListPreferences } from '#kit/list/use-list-preferences.ts';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatCount, formatNumber } from '#platform/i18n/format-number.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { prefetchOnceUsed } from '#platform/start/later.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import {
  currentSavedView,
  currentView,
  filterText,
  type ListSearch,
  searchOfView,
} from '#screens/address.ts';
import { TAB, TabBar, TabCount } from './tab-bar.tsx';

interface ViewTabsProps {
  /** Further tabs of the screen, which are not views of this list. */
  more?: ReactNode;
  /** True if another entry than the views is current. */
  isElsewhere?: boolean;
}

/** Built-in and saved views as links, each with its number of rows. */
export function ViewTabs({ more, isElsewhere = false }: ViewTabsProps) {
  const { t, i18n } = useTranslation();
  const definition = useListDefinition();
  const { declaration, viewTones, viewMarks, viewOrders = {}, viewsIfAny = [] } = definition;
  const { useTexts, useViewCounts } = definition;
  const texts = useTexts();
  const { search } = useListSearch();
  const { views: savedViews } = useListPreferences();
  const counts = useViewCounts?.();
  const needsSearch = useNeedsSearch();
  const saved = currentSavedView(declaration, savedViews, search);
  const current = currentView(declaration, search);
  const shown = Object.entries(declaration.views).filter(
    ([name]) => !viewsIfAny.includes(name) || name === current || (counts?.[name] ?? 0) > 0,
  );
  if (!needsSearch) return null;
  // The order that a view sets is not kept for the next one.
  const sort = search.sort === viewOrders[current] ? undefined : search.sort;
  return (
    <TabBar
      aria-label={t('list.views.label')}
      end={!isElsewhere && <SaveViewButton current={saved} />}
      // Browsers do not scroll on focus if part of the tab is already visible.
      onFocus={({ target }) => target.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
    >
      {shown.map(([name, filters]) => (
        <Tab
          key={name}
          search={{ sort: viewOrders[name] ?? sort, size: search.size, ...filters }}
          isCurrent={!isElsewhere && !saved && name === current}
        >
          {viewMarks?.[name]}
          {texts.view(name)}
          {counts?.[name] !== undefined && (
            <TabCount tone={(counts[name] > 0 && viewTones?.[name]) || 'neutral'}>
              {formatCount(counts[name], i18n.language)}
            </TabCount>
          )}
        </Tab>
      ))}
      {savedViews.map((view) => (
        <SavedTab key={view.name} view={view} isCurrent={!isElsewhere && view === saved} />
      ))}
      {more}
    </TabBar>
  );
}

interface TabProps {
  search: ListSearch;
  isCurrent: boolean;
  children: ReactNode;
}

function Tab({ search, isCurrent, children }: TabProps) {
  const definition = useListDefinition();
  return (
    <Link
      {...listLink(definition, search)}
      // The link to all lines has no filters, so without `exact` it would be active for any filter.
      activeOptions={{ exact: true }}
      aria-current={isCurrent ? 'true' : undefined}
      className={TAB}
      data-current={isCurrent || undefined}
    >
      {children}
    </Link>
  );
}

/**
 * Number of rows in a saved view. Refreshed at intervals and not on live changes, because each
 * count is a request.
 */
function viewCountQuery({ declaration, fetchPage }: ListDefinition, search: ListSearch) {
  return queryOptions({
    queryKey: ['view-count', declaration.name, filterText(declaration, search)],
    queryFn: ({ signal }) => fetchPage(search, { signal, limit: 1 }),
    staleTime: 60_000,
  });
}

function SavedTab({ view, isCurrent }: { view: SavedView; isCurrent: boolean }) {
  const { i18n } = useTranslation();
  const definition = useListDefinition();
  const { search } = useListSearch();
  const saved = searchOfView(definition.declaration, view);
  const { data } = useQuery(viewCountQuery(definition, saved));
  const isMore = data?.total_is_exact === false;
  return (
    <Tab search={{ ...saved, size: search.size }} isCurrent={isCurrent}>
      <Bookmark size={16} />
      <span className="truncate max-w-44" title={isolate(view.name)}>
        <TypedText>{view.name}</TypedText>
      </span>
      {data?.total != null && (
        <TabCount>
          {formatNumber(data.total, i18n.language)}
          {isMore && '+'}
        </TabCount>
      )}
    </Tab>
  );
}

const ViewPopover = lazyPart(() => import('./view-popover.tsx'), 'ViewPopover');

/** Saves the current filters as a tab; for a saved tab, renames or deletes it. */
function SaveViewButton({ current }: { current: SavedView | undefined }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => prefetchOnceUsed([ViewPopover.fetch]), []);
  // Focuses the button only after the popover has closed, because the open popover traps the focus.
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus({ preventScroll: true });
    wasOpen.current = isOpen;
  }, [isOpen]);
  const label = current ? t('editOf', { name: current.name }) : t('list.savedViews.save');
  return (
    <span className="flex-none pe-4 phone:pe-2">
      <IconButton
        ref={button}
        label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={ViewPopover.fetch}
        onFocus={ViewPopover.fetch}
        onClick={() => setOpen(true)}
      >
        {current ? <Pencil size={18} /> : <Plus size={20} />}
      </IconButton>
      {isOpen && button.current && (
        <ViewPopover view={current} anchor={button.current} onClose={() => setOpen(false)} />
      )}
    </span>
  );
}
