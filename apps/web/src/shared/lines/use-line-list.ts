import type { lineStatuses, linesList } from '@linekeeper/contract/lists/lists.ts';
import { useTranslation } from 'react-i18next';
import { daysOf } from '../../screens/address.ts';
import { useServerFilter } from '../list/filters/use-server-filter.ts';
import { type FilterLook, offering } from '../list/use-list.ts';

const EXPIRY_CHOICES = ['0d', '7d', '30d'] as const;
const ENDED_CHOICES = ['0d', '7d', '30d', '90d'] as const;
/** Ordered by how often users look for each state. */
const SYNC_CHOICES = ['failed', 'pending', 'synced'] as const;

const statusChoices: readonly (typeof lineStatuses)[number][] = [
  'active',
  'inactive',
  'suspended',
  'expired',
];

/** Texts that only lists of lines have. */
export function useLineTexts() {
  const { t } = useTranslation('lines');
  return {
    selectPage: t('select.page'),
    searchIsShort: t('searchIsShort'),
  };
}

/** The filters of every list of lines. */
export function useLineFilters(): Record<
  Exclude<keyof typeof linesList.filters, 'owner'>,
  FilterLook
> {
  const { t } = useTranslation('lines');
  const name = (filter: keyof typeof linesList.filters) => t(`filter.names.${filter}`);
  const option = (value: string, label: string) => ({ value, label });
  const agoText = (days: string) =>
    daysOf(days) === 0 ? t('filter.beforeToday') : t('filter.agoDays', { count: daysOf(days) });
  return {
    expires: {
      name: name('expires'),
      options: EXPIRY_CHOICES.map((days) =>
        option(days, days === '0d' ? t('filter.today') : t('filter.days', { count: daysOf(days) })),
      ),
      valueText: (value) => t('filter.withinDays', { count: daysOf(value) }),
    },
    ended: {
      name: name('ended'),
      options: ENDED_CHOICES.map((days) => option(days, agoText(days))),
      valueText: agoText,
    },
    status: offering(
      name('status'),
      statusChoices.map((status) => option(status, t(`status.${status}`))),
    ),
    server: useServerFilter(name('server')),
    sync: offering(
      name('sync'),
      SYNC_CHOICES.map((state) => option(state, t(`filter.syncStates.${state}`))),
    ),
    trial: offering(name('trial'), [
      option('true', t('filter.trials')),
      option('false', t('filter.subscriptions')),
    ]),
    long_name: offering(name('long_name'), [
      option('true', t('filter.longNames.true')),
      option('false', t('filter.longNames.false')),
    ]),
  };
}
