import type { Access } from '@linekeeper/contract/permissions.ts';
import { valuesOf } from '../../../screens/address.ts';
import { useAccountText } from '../../data/accounts.ts';
import { useCan } from '../../data/session.ts';
import { isolate } from '../../i18n/isolate.ts';
import { lazyPart } from '../../start/lazy-part.tsx';
import { type FilterLook, useListSearch } from '../use-list.ts';
import panelStyles from './filter-panel.module.css';

const AccountFilter = lazyPart(() => import('./account-filter.tsx'), 'AccountFilter', {
  before: () => <div className={panelStyles.later} />,
  isPart: true,
});

/**
 * A filter whose values are accounts. `searchedBy` get the control that searches for one: by default
 * only administrators, who see accounts of others.
 */
export function useAccountFilter(
  filter: string,
  name: string,
  searchedBy: Access = 'admin',
): FilterLook {
  const searches = useCan(searchedBy);
  const { search } = useListSearch();
  const accountText = useAccountText(valuesOf(search[filter]));
  return {
    name,
    valueText: (id) => isolate(accountText(id)),
    ...(searches ? { Control: AccountFilter } : {}),
  };
}
