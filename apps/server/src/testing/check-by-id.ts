import type { Services } from '../domain/context/context.ts';
import { checkServer } from '../domain/delivery/server-checks.ts';

/** The check that each server has once a minute, of the server with this id. */
export async function checkById(services: Services, id: string): Promise<void> {
  const server = await services.db
    .selectFrom('cccam_servers')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await checkServer(services, server);
}
