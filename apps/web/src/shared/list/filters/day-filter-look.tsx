import { formatDay } from '@linekeeper/contract/dates.ts';
import { lazyComponent } from '../../start/lazy-component.tsx';
import type { FilterLook } from '../use-list.ts';
import panelStyles from './filter-panel.module.css';

const DayFilter = lazyComponent(async () => (await import('./day-filter.tsx')).DayFilter, {
  before: () => <div className={panelStyles.later} />,
  isPart: true,
});

/** A filter whose value is a day. */
export function dayFilterLook(name: string): FilterLook {
  return { name, valueText: formatDay, Control: DayFilter };
}
