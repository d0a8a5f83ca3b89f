import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { LINES_ON } from '../notices/messages.ts';
import { notify, notifyAdministrators } from '../notices/notify.ts';
import type { Connected } from './card-server/check-connection.ts';
import { isDue } from './server-accounts.ts';

/**
 * Number of good checks in a row after which administrators are told that a server is back. One success makes it
 * active; told at that moment, a server that comes and goes would send two mails every few minutes.
 */
const GOOD_TO_RETURN = 5;

const linesOn = (id: string) => `${LINES_ON}${id}`;

interface Seller {
  account_id: string;
  lines: number;
  waiting: number;
}

/**
 * Accounts with lines on the server, their own or of accounts below, and those told that it is away, by the panel or by
 * a message, even if their lines have left it since. Administrators are told otherwise.
 */
async function readSellers(tx: Tx, id: string): Promise<Seller[]> {
  const { rows } = await sql<Seller>`
    with owned as (
      select owner_id, count(*)::integer as lines, count(server_accounts)::integer as waiting
        from users
          left join server_accounts on server_accounts.server_id = users.server_id
            and server_accounts.username = users.username and ${isDue}
        where users.server_id = ${id} group by 1),
    having_lines as (
      select ancestor_id as account_id, sum(lines)::integer as lines, sum(waiting)::integer as waiting
        from owned join account_tree on account_tree.account_id = owned.owner_id group by 1),
    since as (select error_told_at from cccam_servers where id = ${id}),
    notified as (
      select account_id from notifications, since
        where link = ${linesOn(id)} and created_at >= error_told_at
      union
      select account_id from message_readers
          join messages on messages.id = message_id, since
        where messages.server_id = ${id} and publish_at >= error_told_at)
    select account_id, coalesce(lines, 0) as lines, coalesce(waiting, 0) as waiting
      from having_lines full join notified using (account_id)
        join auth_users on auth_users.id = account_id
      where not is_admin and not banned`.execute(tx);
  return rows;
}

/** Begins, continues or ends an incident, and notifies of the return after an error. */
export async function noteCheck(
  tx: Tx,
  id: string,
  { status, finding }: Pick<Connected, 'status' | 'finding'>,
): Promise<void> {
  if (status !== 'active') {
    await sql`
      insert into server_incidents (id, server_id, finding)
        values (${newId()}, ${id}, ${finding && JSON.stringify(finding)}::jsonb)
      on conflict (server_id) where ended_at is null do update
        set failed = server_incidents.failed + 1`.execute(tx);
    await tx.updateTable('cccam_servers').set({ good_checks: 0 }).where('id', '=', id).execute();
    return;
  }
  await endIncident(tx, id);
  const checked = await tx
    .updateTable('cccam_servers')
    .set({ good_checks: sql`least(good_checks + 1, ${GOOD_TO_RETURN})` })
    .where('id', '=', id)
    .returning(['good_checks', 'error_told_at'])
    .executeTakeFirst();
  if (checked?.error_told_at && checked.good_checks >= GOOD_TO_RETURN) {
    await notifyOfServer(tx, id, 'returned');
  }
}

/** Ends a server's incident: it answers again, or its address changed, so that the old machine is no longer checked. */
export async function endIncident(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('server_incidents')
    .set({ ended_at: sql`now()` })
    .where('server_id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
}

/**
 * Notifies administrators and sellers that a server turned error or returned; of the one only once until the other,
 * however many panels notice, because the transaction that notifies also marks the server's row.
 */
export async function notifyOfServer(tx: Tx, id: string, state: 'error' | 'returned') {
  const isAway = state === 'error';
  // Until it is marked, the row says since when the server is away.
  const sellers = await readSellers(tx, id);
  const notified = await tx
    .updateTable('cccam_servers')
    .set({ error_told_at: isAway ? sql`now()` : null })
    .where('id', '=', id)
    .where('error_told_at', isAway ? 'is' : 'is not', null)
    .returning('server_name')
    .executeTakeFirst();
  if (!notified) return;
  const facts = { name: notified.server_name };
  await notifyAdministrators(tx, {
    event: `server_${state}`,
    facts,
    link: `/cccam-servers/${id}/health`,
  });
  await notify(
    tx,
    sellers.map(({ account_id, lines, waiting }) => ({
      ...(isAway
        ? { event: 'lines_away' as const, facts: { ...facts, lines } }
        : { event: 'lines_back' as const, facts: { ...facts, lines, waiting } }),
      account_id,
      link: linesOn(id),
    })),
  );
}
