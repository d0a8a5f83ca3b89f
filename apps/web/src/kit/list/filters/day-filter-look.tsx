import { formatDay } from '@linekeeper/contract/dates.ts';
import type { FilterLook } from '#kit/list/use-list.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';

const DayFilter = lazyPart(() => import('./day-filter.tsx'), 'DayFilter', {
  before: () => <div className="h-(--entry)" />,
  isPart: true,
});

/** A filter whose value is a day. */
export function dayFilterLook(name: string): FilterLook {
  return { name, valueText: formatDay, Control: DayFilter };
}
