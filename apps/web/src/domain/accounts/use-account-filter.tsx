import type { Access } from '@linekeeper/contract/permissions.ts';
import { FilterFieldRoom } from '#kit/list/filters/filter-field.tsx';
import { type FilterLook, useListSearch } from '#kit/list/use-list.ts';
import { useCan } from '#platform/data/session.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { valuesOf } from '#screens/address.ts';
import { useAccountText } from './accounts.ts';

const AccountFilter = lazyPart(() => import('./account-filter.tsx'), 'AccountFilter', {
  before: FilterFieldRoom,
  isPart: true,
});

/**
 * A filter whose values are accounts. `searchedBy` are the readers who get the control that
 * searches for one: by default only administrators, who see accounts of others.
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
