import { sql } from 'kysely';
import { checkServer } from '../../domain/checks/server-checks.ts';
import type { Services } from '../../domain/context/context.ts';

/** The check that each server has once a minute, of the server with this id. */
export async function checkById(services: Services, id: string): Promise<void> {
  const server = await services.db
    .updateTable('cccam_servers')
    // As if claimed, so that the panel's own loop does not check it besides.
    .set({ next_check_at: sql`now() + interval '1 minute'` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await checkServer(services, server);
}
