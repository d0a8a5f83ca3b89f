import type { lineStatuses, linesList, presenceStates } from '@linekeeper/contract/lists/lists.ts';
import { useTranslation } from 'react-i18next';
import { useHasPlans, usePlans } from '#domain/prices/plans.ts';
import { useServerFilter } from '#domain/servers/use-server-filter.ts';
import { type FilterLook, offering } from '#kit/list/use-list.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { daysOf } from '#screens/address.ts';

const EXPIRY_CHOICES = ['0d', '7d', '30d'] as const;
const ENDED_CHOICES = ['0d', '7d', '30d', '90d'] as const;
const SEEN_CHOICES = ['1d', '7d', '30d'] as const;
type PresenceState = (typeof presenceStates)[number];
/** The states in the order in which users look for them. */
const SYNC_CHOICES = ['failed', 'pending', 'synced'] as const;

const statusChoices: readonly (typeof lineStatuses)[number][] = [
  'active',
  'inactive',
  'suspended',
  'expired',
];

const PresenceFilter = lazyPart(() => import('./presence-filter.tsx'), 'PresenceFilter', {
  before: () => <div className="h-16.5" />,
  isPart: true,
});

/** The texts in which lists of lines differ from other lists. Each list of lines gives them as `useMoreTexts`. */
export function useLineTexts() {
  const { t } = useTranslation('lines');
  return {
    selectPage: t('list.selectPage'),
    searchIsShort: t('searchIsShort'),
  };
}

const planColumn = ['plan'] as const;

/** The columns that lists of lines hide now: the plan, if there is only one. */
export const useHiddenLineColumns = (): readonly string[] => (useHasPlans() ? [] : planColumn);

/** The filters of every list of lines. */
export function useLineFilters(): Record<
  Exclude<keyof typeof linesList.filters, 'below' | 'owner'>,
  FilterLook
> {
  const { t } = useTranslation('lines');
  const name = (
    filter: Exclude<
      keyof typeof linesList.filters,
      'status' | 'server' | 'plan' | 'owner' | 'expires' | 'sold'
    >,
  ) => t(`filter.names.${filter}`);
  const option = (value: string, label: string) => ({ value, label });
  const agoText = (days: string) =>
    daysOf(days) === 0 ? t('filter.beforeToday') : t('filter.agoDays', { count: daysOf(days) });
  return {
    presence: {
      name: name('presence'),
      valueText: (state) => t(`filter.presence.${state as PresenceState}`),
      Control: PresenceFilter,
    },
    // "Never connected" is offered beside the states, although it is a separate filter.
    never: {
      name: name('never'),
      valueText: (is) => t(is === 'true' ? 'filter.presence.never' : 'filter.presence.ever'),
    },
    seen: {
      name: name('seen'),
      options: SEEN_CHOICES.map((days) => option(days, t('counted.days', { count: daysOf(days) }))),
      valueText: (value) => t('filter.seenDays', { count: daysOf(value) }),
    },
    sold: {
      name: t('columns.sold'),
      valueText: (value) => t('filter.soldDays', { count: daysOf(value) }),
    },
    expires: {
      name: t('renew.expires'),
      options: EXPIRY_CHOICES.map((days) =>
        option(
          days,
          days === '0d' ? t('filter.today') : t('counted.days', { count: daysOf(days) }),
        ),
      ),
      valueText: (value) => t('filter.withinDays', { count: daysOf(value) }),
    },
    ended: {
      name: name('ended'),
      options: ENDED_CHOICES.map((days) => option(days, agoText(days))),
      valueText: agoText,
    },
    status: offering(
      t('field.status'),
      statusChoices.map((status) => option(status, t(`line.status.${status}`))),
    ),
    server: useServerFilter(t('field.server')),
    plan: usePlanFilter(),
    sync: offering(
      name('sync'),
      SYNC_CHOICES.map((state) => option(state, t(`filter.syncStates.${state}`))),
    ),
    trial: offering(name('trial'), [
      option('true', t('view.trials')),
      option('false', t('filter.subscriptions')),
    ]),
    long_name: offering(name('long_name'), [
      option('true', t('line.name.long')),
      option('false', t('filter.longNames.false')),
    ]),
  };
}

/** A filter whose values are plans, offered if there are several. */
function usePlanFilter(): FilterLook {
  const { t } = useTranslation();
  const plans = usePlans();
  const options = plans.map(({ id, name }) => ({ value: id, label: isolate(name) }));
  const filter = offering(t('field.plan'), options, '…');
  return plans.length > 1 ? { ...filter, isLong: true } : { ...filter, options: [] };
}
