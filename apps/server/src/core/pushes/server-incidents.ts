import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import type { Connected } from '../card-server/check-connection.ts';
import { newId } from '../ids.ts';
import { notifyAdministrators } from '../mail/notify.ts';

/**
 * So many good checks in a row, and administrators are told that a server is back. One success makes it
 * active; told at that moment, a server that comes and goes would send two mails every few minutes.
 */
export const GOOD_TO_RETURN = 5;

const linkTo = (id: string) => `/cccam-servers/health/${id}`;

/** Begins, continues or ends an incident, and tells of the return after an error. */
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
  if (checked?.error_told_at && checked.good_checks >= GOOD_TO_RETURN) await tellReturn(tx, id);
}

/** Also when a new address means that the machine of the incident is asked no more. */
export async function endIncident(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('server_incidents')
    .set({ ended_at: sql`now()` })
    .where('server_id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
}

/**
 * Tells administrators that a server turned error; only once until they are told that it is back,
 * however many panels notice, because the row says so in the transaction that tells.
 */
export async function tellError(tx: Tx, id: string): Promise<void> {
  const told = await tx
    .updateTable('cccam_servers')
    .set({ error_told_at: sql`now()` })
    .where('id', '=', id)
    .where('error_told_at', 'is', null)
    .returning('server_name')
    .executeTakeFirst();
  if (!told) return;
  const facts = { name: told.server_name };
  await notifyAdministrators(tx, { event: 'server_error', facts, link: linkTo(id) });
}

async function tellReturn(tx: Tx, id: string): Promise<void> {
  const told = await tx
    .updateTable('cccam_servers')
    .set({ error_told_at: null })
    .where('id', '=', id)
    .where('error_told_at', 'is not', null)
    .returning('server_name')
    .executeTakeFirst();
  if (!told) return;
  const facts = { name: told.server_name };
  await notifyAdministrators(tx, { event: 'server_returned', facts, link: linkTo(id) });
}
