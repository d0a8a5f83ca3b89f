import type { Line } from '@linekeeper/contract/lines.ts';
import { useTranslation } from 'react-i18next';
import { daysOf, type FilterName } from './search.ts';
import { useServerName } from './sync-chip.tsx';
import { useLinesSearch } from './use-lines-search.ts';
import { useOwner } from './use-owner.ts';

/** The filters of the address in words: their names and their values. */
export function useFilterTexts(lines?: Line[]) {
  const { t } = useTranslation('lines');
  const { search } = useLinesSearch();
  const serverName = useServerName(search.server ?? '');
  const owner = useOwner(search.owner, lines)?.email;

  const value = (filter: FilterName): string => {
    switch (filter) {
      case 'status':
        return search.status ? t(`status.${search.status}`) : '';
      case 'expires':
        return search.expires ? t('filter.withinDays', { count: daysOf(search.expires) }) : '';
      case 'trial':
        return search.trial ? t('filter.trials') : t('filter.subscriptions');
      case 'sync':
        return search.sync ? t(`filter.syncStates.${search.sync}`) : '';
      case 'server':
        return serverName;
      case 'owner':
        return owner ?? t('filter.oneAccount');
    }
  };
  return { name: (filter: FilterName) => t(`filter.names.${filter}`), value };
}
