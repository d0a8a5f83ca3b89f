import type {
  Account,
  AccountFigures,
  TransferKind,
} from '@linekeeper/contract/accounts/accounts.ts';
import { type ActivityEntry, accountActivity } from '@linekeeper/contract/activity.ts';
import { activityKinds, activityList } from '@linekeeper/contract/lists/lists.ts';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArrowDownUp, History, Printer } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { activityQuery } from '#domain/activity/queries.ts';
import { accountFiguresQuery } from '#features/accounts/queries.ts';
import { dayFilterLook } from '#kit/list/filters/day-filter-look.tsx';
import { ListBody, Rows } from '#kit/list/list-body.tsx';
import { ListToolbar } from '#kit/list/list-toolbar.tsx';
import { NoMatchPanel } from '#kit/list/no-match-panel.tsx';
import {
  type FilterLook,
  type ListDefinition,
  ListProvider,
  type ListTexts,
  offering,
  useListSearch,
} from '#kit/list/use-list.ts';
import { Print } from '#kit/printing/print.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { call } from '#platform/api/client.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { isFiltered, listQuery, unpagedQuery } from '#screens/address.ts';
import { ActivityRows, EarlierButton } from './activity-rows.tsx';

function useTexts(): ListTexts {
  const { t } = useTranslation('activity');
  return {
    title: t('field.activity'),
    loading: t('loading'),
    noMatch: t('list.noMatch.title'),
    search: t('search'),
    filterTitle: t('list.filter.open'),
    // Several events are shown as one entry, so their number would mislead.
    show: () => t('list.show'),
    column: (column) => column,
    order: (sort) => t(sort === 'created_at' ? 'list.order.oldest' : 'list.order.newest'),
    view: (view) => view,
  };
}

function useFilters(): Record<keyof typeof activityList.filters, FilterLook> {
  const { t } = useTranslation('activity');
  const kinds = activityKinds.map((value) => ({ value, label: t(`kinds.${value}`) }));
  return {
    kind: offering(t('field.kind'), kinds),
    from: dayFilterLook(t('field.from')),
    to: dayFilterLook(t('field.to')),
  };
}

function activityListOf(id: string): ListDefinition<ActivityEntry> {
  return {
    declaration: activityList,
    path: '/accounts/$id',
    isPart: true,
    queryKey: ['activity', 'page', id],
    fetchPage: (search, { signal, limit }) => {
      const query = { ...listQuery(activityList, search), ...(limit ? { limit } : {}) };
      return call(accountActivity, { params: { id }, query }, { signal });
    },
    useTexts,
    useFilters,
  };
}

export function ActivityTab({ account }: { account: Account }) {
  const list = useMemo(() => activityListOf(account.id), [account.id]);
  return (
    <ListProvider value={list}>
      <AccountActivity account={account} />
    </ListProvider>
  );
}

function AccountActivity({ account }: { account: Account }) {
  const { t } = useTranslation('activity');
  const { search } = useListSearch();
  const activity = useInfiniteQuery({
    ...activityQuery({ account: account.id }, unpagedQuery(activityList, search)),
    placeholderData: keepPreviousData,
  });
  const { data, error, isFetching, isFetchingNextPage } = activity;
  const entries = data?.pages.flatMap(({ items }) => items);
  const isOldestFirst = search.sort === 'created_at';
  return (
    <ListBody
      state={{
        count: entries?.length,
        error,
        isFetching: isFetching && !isFetchingNextPage,
        retry: () => void activity.refetch(),
      }}
      isFiltered={isFiltered(activityList, search)}
      toolbar={<ListToolbar end={<ActivityButtons />} />}
      firstUse={<EmptyPanel icon={<History />} title={t('nothing')} />}
      noMatch={<NoMatchPanel />}
    >
      <div className="grid gap-(--card-pad) p-(--card-pad) phone:rounded-card phone:bg-paper phone:shadow-card pt-2 phone:mt-0 phone:pt-4">
        <CreditSums account={account} />
        <Rows isLoading={entries === undefined} loadingText={t('loading')}>
          {() => entries && <ActivityRows entries={entries} isOldestFirst={isOldestFirst} />}
        </Rows>
        <EarlierButton activity={activity} isOldestFirst={isOldestFirst} />
      </div>
    </ListBody>
  );
}

function ActivityButtons() {
  const { t } = useTranslation('activity');
  const { search, change } = useListSearch();
  const [isPrinting, setPrinting] = useState(false);
  const isOldestFirst = search.sort === 'created_at';
  return (
    <>
      <span className="only-wide">
        <Button
          icon={<ArrowDownUp />}
          onClick={() => void change({ sort: isOldestFirst ? undefined : 'created_at' })}
        >
          {t(isOldestFirst ? 'list.order.oldest' : 'list.order.newest')}
        </Button>
      </span>
      <span className="only-wide">
        <Button icon={<Printer />} onClick={() => setPrinting(true)}>
          {t('action.print')}
        </Button>
      </span>
      {isPrinting && <Print onDone={() => setPrinting(false)} />}
    </>
  );
}

type ByKind = AccountFigures['by_kind'];

/** The sums that make up the balance; those that are 0 are left out. */
const sums = {
  received: { kinds: ['mint', 'transfer', 'take_back'], side: 'credits_in' },
  topUps: { kinds: ['topup'], side: 'credits_in' },
  codes: { kinds: ['redeem'], side: 'credits_in' },
  refunds: { kinds: ['refund'], side: 'credits_in' },
  correctedUp: { kinds: ['adjustment'], side: 'credits_in' },
  lines: { kinds: ['sale', 'renewal'], side: 'credits_out' },
  passedOn: { kinds: ['transfer'], side: 'credits_out' },
  takenBack: { kinds: ['take_back', 'topup'], side: 'credits_out' },
  correctedDown: { kinds: ['adjustment'], side: 'credits_out' },
} as const satisfies Record<
  string,
  { kinds: readonly TransferKind[]; side: 'credits_in' | 'credits_out' }
>;
type Sum = keyof typeof sums;

function sumOf(byKind: ByKind, sum: Sum): number {
  const { kinds, side } = sums[sum];
  const meant = byKind.filter(({ kind }) => (kinds as readonly TransferKind[]).includes(kind));
  return meant.reduce((all, row) => all + row[side], 0);
}

/** The look of a sum with its name above it, or beside it on a phone. */
const SUM = 'phone:flex phone:items-baseline phone:justify-between phone:gap-4';
const NAME = 'text-neutral-fg type-caption phone:type-[14px/22px_var(--font)]';
const AMOUNT = 'type-[700_18px/28px_var(--font)] phone:type-strong';

/** The sums of which the balance consists. Administrators have no counted balance. */
function CreditSums({ account }: { account: Account }) {
  const { t, i18n } = useTranslation('account');
  const { data: figures } = useQuery(accountFiguresQuery(account.id));
  if (account.is_admin || !figures?.by_kind.length) return null;
  const shown = (Object.keys(sums) as Sum[])
    .map((sum) => ({ sum, amount: sumOf(figures.by_kind, sum) }))
    .filter(({ amount }) => amount > 0);
  return (
    <dl className="flex flex-wrap gap-y-3 gap-x-8 py-4 px-6 rounded-control bg-head phone:grid phone:gap-2 phone:p-4">
      {shown.map(({ sum, amount }) => (
        <div key={sum} className={SUM} data-side={sums[sum].side}>
          <dt className={NAME}>{t(`sums.${sum}`)}</dt>
          <dd className={AMOUNT}>
            <span className="me-0.5 text-text-2 font-normal">
              {sums[sum].side === 'credits_in' ? '+' : '−'}
            </span>
            {formatNumber(amount, i18n.language)}
          </dd>
        </div>
      ))}
      <div
        className={`ms-auto text-end phone:m-0 phone:pt-2 phone:border-t phone:border-t-divider ${SUM}`}
      >
        <dt className={NAME}>{t('field.balanceNow')}</dt>
        <dd className={AMOUNT}>{t('credits.amount', { count: account.credits })}</dd>
      </div>
    </dl>
  );
}
