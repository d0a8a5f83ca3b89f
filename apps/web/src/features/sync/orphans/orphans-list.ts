import { orphansList } from '@linekeeper/contract/lists/lists.ts';
import { listOrphans, type Orphan } from '@linekeeper/contract/servers/orphans.ts';
import { useTranslation } from 'react-i18next';
import { useServerFilter } from '#domain/servers/use-server-filter.ts';
import { ageOrder, fetchPages } from '#kit/list/define-list.ts';
import type { ListDefinition, ListTexts } from '#kit/list/use-list.ts';

/** The texts of this list, which are in the file of the page's other list. */
function useTexts(): ListTexts {
  const { t } = useTranslation('sync');
  type Column = 'username' | (typeof orphansList.columns)[number];
  return {
    title: t('orphans.tab'),
    loading: t('loading'),
    noMatch: t('list.noMatch.title'),
    search: t('search'),
    selectPage: t('list.selectPage'),
    filterTitle: t('list.filter.open'),
    show: (count, isExact) => {
      if (count === null) return t('list.show');
      return t(isExact ? 'list.showCount' : 'list.showMany', { count });
    },
    column: (name) => {
      const column = name as Column;
      return column === 'found' ? t('orphans.found') : t(`field.${column}`);
    },
    order: (sort) => t([`list.order.${sort as 'username'}`, ageOrder(sort)]),
    view: () => t('view.all'),
  };
}

function useFilters() {
  const { t } = useTranslation('sync');
  return { server: useServerFilter(t('field.server')) };
}

export const orphans: ListDefinition<Orphan> = {
  declaration: orphansList,
  path: '/cccam-servers/sync',
  queryKey: ['sync', 'orphans'],
  fetchPage: fetchPages(orphansList, listOrphans),
  // Milliseconds between refetches, because sales and removals elsewhere change the list without a live event.
  refetchMs: 5000,
  useTexts,
  useFilters,
};
