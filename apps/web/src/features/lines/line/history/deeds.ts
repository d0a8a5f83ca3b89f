import type { ActivityEntry } from '@linekeeper/contract/activity.ts';
import { type ActivityItem, groupActivity } from '#domain/activity/activity-items.ts';

/** A deed of a person, or the deliveries between two such deeds. */
export type HistoryRow =
  | { kind: 'deed'; id: string; deed: ActivityItem }
  | { kind: 'machinery'; id: string; deliveries: ActivityItem[] };

/**
 * The history of a line as deeds, newest first; what the panel did between two of them is one row, which is never
 * the first. */
export function historyRows(entries: readonly ActivityEntry[]): HistoryRow[] {
  const rows: HistoryRow[] = [];
  for (const item of groupActivity(entries)) {
    const last = rows.at(-1);
    if (item.source !== 'push') rows.push({ kind: 'deed', id: item.id, deed: item });
    else if (last?.kind === 'machinery') last.deliveries.push(item);
    else rows.push({ kind: 'machinery', id: item.id, deliveries: [item] });
  }
  const [first, deed, ...others] = rows;
  return first?.kind === 'machinery' && deed ? [deed, first, ...others] : rows;
}
