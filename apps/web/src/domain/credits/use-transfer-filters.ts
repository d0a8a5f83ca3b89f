import { transferKinds, type transfersList } from '@linekeeper/contract/lists/lists.ts';
import { useTranslation } from 'react-i18next';
import { dayFilterLook } from '#kit/list/filters/day-filter-look.tsx';
import { type FilterLook, offering } from '#kit/list/use-list.ts';

/** The filters of every list of transfers. */
export function useTransferFilters(): Record<
  Exclude<keyof typeof transfersList.filters, 'account'>,
  FilterLook
> {
  const { t } = useTranslation('credits');
  const { t: activity } = useTranslation('activity');
  const kinds = transferKinds.map((value) => ({ value, label: activity(`transfers.${value}`) }));
  return {
    kind: { ...offering(t('field.kind'), kinds), isLong: true },
    from: dayFilterLook(t('field.from')),
    to: dayFilterLook(t('field.to')),
  };
}
