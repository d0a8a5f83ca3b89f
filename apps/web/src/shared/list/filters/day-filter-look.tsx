import { formatDay } from '@linekeeper/contract/dates.ts';
import { lazyPart } from '../../start/lazy-part.tsx';
import type { FilterLook } from '../use-list.ts';
import panelStyles from './filter-panel.module.css';

const DayFilter = lazyPart(() => import('./day-filter.tsx'), 'DayFilter', {
  before: () => <div className={panelStyles.later} />,
  isPart: true,
});

/** A filter whose value is a day. */
export function dayFilterLook(name: string): FilterLook {
  return { name, valueText: formatDay, Control: DayFilter };
}
