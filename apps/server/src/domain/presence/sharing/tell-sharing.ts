import type { Usage } from '@linekeeper/contract/lines/usage.ts';
import type { SharingNote, StoredSharing } from '../../../db/schema/server-schema.ts';
import type { StoredSuspension } from '../../../db/stored-suspension.ts';
import type { Tx } from '../../../db/transaction.ts';
import { notify } from '../../notices/notify.ts';
import { recent } from './sharing-signals.ts';

/**
 * Notifies the owners of lines with new signs of sharing. If lines are to be suspended for it, they are marked, and the
 * notification follows with the suspension.
 */
export async function tellSharing(
  tx: Tx,
  noted: readonly (SharingNote & { line_id: string })[],
  suspend_hours: number,
): Promise<void> {
  const ids = noted.map(({ line_id }) => line_id);
  if (suspend_hours > 0) {
    await tx
      .updateTable('line_presence')
      .set({ is_to_suspend: true })
      .where('line_id', 'in', ids)
      .execute();
    return;
  }
  const lines = await tx
    .selectFrom('users')
    .select(['id', 'username', 'owner_id'])
    .where('id', 'in', ids)
    .execute();
  const seenOf = new Map(noted.map(({ line_id, at: _, ...seen }) => [line_id, seen]));
  await notify(
    tx,
    lines.flatMap(({ id, username, owner_id }) => {
      const seen = seenOf.get(id);
      if (!seen) return [];
      const facts = { username, ...seen };
      return { event: 'line_shared' as const, facts, account_id: owner_id, link: pageOf(id) };
    }),
  );
}

/** The link to a line's page. */
export const pageOf = (line_id: string) => `/users/${line_id}`;

/** Signs of sharing of the last week for a line's page; null if there are none. */
export function sharingOf(
  stored: StoredSharing | null,
  suspension: StoredSuspension | null,
  now: Date,
): Usage['sharing'] {
  const notes = recent(stored?.notes ?? [], now);
  const [first, last] = [notes[0], notes.at(-1)];
  if (!first || !last) return null;
  const { connections, networks, allowed } = last;
  return {
    connections,
    networks,
    allowed,
    times: notes.length,
    first_at: first.at,
    last_at: last.at,
    suspended_until: suspension?.cause === 'sharing' ? (suspension.until ?? null) : null,
  };
}
