import type { ActivityEntry } from '@linekeeper/contract/activity.ts';

/** One row of an activity: an act with its movement of credits and its delivery. */
export interface ActivityItem extends ActivityEntry {
  moved: ActivityEntry['transfer'];
  delivered: ActivityEntry['push'];
}

/** Milliseconds after an act within which an entry is shown as part of the act. */
const PART_OF_ACT_MS = 5000;
const DELIVERY_MS = 30_000;

const isWithin = (later: ActivityEntry, act: ActivityEntry, ms: number) =>
  Date.parse(later.created_at) - Date.parse(act.created_at) <= ms;

/** The act to which a transfer belongs. Sales do not name their transfer, so it is found by their cost. */
function actOf(entry: ActivityEntry, acts: readonly ActivityItem[]): ActivityItem | undefined {
  return acts.findLast((act) => {
    if (act.moved) return false;
    if (act.transfer_id) return act.transfer_id === entry.transfer_id;
    const isSame =
      act.subject_id === entry.subject_id && act.cost === -(entry.transfer?.amount ?? 0);
    return isSame && isWithin(entry, act, PART_OF_ACT_MS);
  });
}

/**
 * Joins each act of a history with its transfer of credits, and with its push if that succeeded
 * immediately. All other entries stay separate. `entries` and the result have the newest first.
 */
export function groupActivity(entries: readonly ActivityEntry[]): ActivityItem[] {
  const items: ActivityItem[] = [];
  for (const entry of entries.toReversed()) {
    const acts = items.filter(({ source }) => source === 'audit');
    const act = entry.source === 'transfer' ? actOf(entry, acts) : undefined;
    const pushed = acts.findLast(({ subject_id }) => subject_id === entry.subject_id);
    const isDelivery = entry.push?.ok && entry.push.failures === 0;
    if (act) {
      act.moved = entry.transfer;
      act.note ??= entry.note;
    } else if (isDelivery && pushed && !pushed.delivered && isWithin(entry, pushed, DELIVERY_MS)) {
      pushed.delivered = entry.push;
    } else {
      items.push({ ...entry, moved: entry.transfer, delivered: null });
    }
  }
  return items.toReversed();
}
