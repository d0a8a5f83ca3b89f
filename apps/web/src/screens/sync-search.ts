import { orphansList, pushesList } from '@linekeeper/contract/lists/lists.ts';
import * as z from 'zod';
import { addressOf, type SearchOf } from './address.ts';

const pending = addressOf(pushesList);
const orphans = addressOf(orphansList);

type SyncSearch = { tab?: 'orphans' | undefined; sort?: string | undefined } & Omit<
  SearchOf<typeof pushesList>,
  'sort'
> &
  Omit<SearchOf<typeof orphansList>, 'sort'>;

/** Schema of the sync page's search parameters: those of the list that its tab shows. */
export const syncSearch = z.looseObject({}).transform((given) =>
  // Missing parameters are set to undefined, because the router keeps parameters that a schema leaves out.
  given.tab === 'orphans'
    ? { state: undefined, operation: undefined, ...orphans.parse(given), tab: 'orphans' }
    : { ...pending.parse(given), tab: undefined },
) as unknown as z.ZodType<SyncSearch, SyncSearch>;
