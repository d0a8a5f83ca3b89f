import { useTranslation } from 'react-i18next';
import { type FilterLook, offering } from '#kit/list/use-list.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { usePlans } from './plans.ts';

/** A filter whose values are plans, offered if there are several. */
export function usePlanFilter(): FilterLook {
  const { t } = useTranslation();
  const plans = usePlans();
  const options = plans.map(({ id, name }) => ({ value: id, label: isolate(name) }));
  const filter = offering(t('field.plan'), options, '…');
  return plans.length > 1 ? { ...filter, isLong: true } : { ...filter, options: [] };
}
