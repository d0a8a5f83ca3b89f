import { activityList, linesList, transfersList } from '@linekeeper/contract/lists/lists.ts';
import * as z from 'zod';
import { addressOf, type SearchOf } from './address.ts';

/** The tabs of an account's page; without a tab in its address it shows the overview. */
export const accountTabs = ['overview', 'credits', 'lines', 'limits', 'activity'] as const;
export type AccountTab = (typeof accountTabs)[number];

// The path names the account, so these lists have no filter for it.
const { account: _, ...transferFilters } = transfersList.filters;
const { owner: __, ...lineFilters } = linesList.filters;
export const accountTransfersList = { ...transfersList, filters: transferFilters };
export const accountLinesList = { ...linesList, filters: lineFilters };

const tab = z.object({ tab: z.enum(accountTabs).optional().catch(undefined) });
const addresses: Partial<Record<AccountTab, z.ZodType<object>>> = {
  credits: addressOf(accountTransfersList),
  lines: addressOf(accountLinesList),
  activity: addressOf(activityList),
};

type OfTab<List extends Parameters<typeof addressOf>[0]> = Omit<SearchOf<List>, 'sort'>;
type AccountSearch = z.output<typeof tab> & { sort?: string | undefined } & OfTab<
    typeof accountTransfersList
  > &
  OfTab<typeof accountLinesList> &
  OfTab<typeof activityList>;

/** Schema of the page's search parameters: its tab, and those of the list that the tab shows. */
export const accountSearch = z.looseObject({}).transform((given) => {
  const { tab: shown } = tab.parse(given);
  // Missing parameters are set to undefined, because the router keeps parameters that a schema leaves out.
  if (shown === undefined || shown === 'overview') return { tab: undefined };
  return { tab: shown, ...addresses[shown]?.parse(given) };
}) as unknown as z.ZodType<AccountSearch, AccountSearch>;
