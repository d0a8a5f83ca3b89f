import { BACKUP_PATH } from '@linekeeper/contract/backup.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import type { FastifyInstance } from 'fastify';
import { removeUnfinishedBackups, spoolBackup } from '../domain/backups/make-backup.ts';
import type { Services } from '../domain/context/context.ts';
import { fail } from '../platform/errors/refusal.ts';
import { readCaller, refuseForeignOrigin } from './session.ts';

/**
 * Serves a backup to `npm run backup`, because only the panel can read the embedded database. With PostgreSQL the
 * endpoint does not exist, because the command reads the database itself. Refuses with NO_AUTHENTICATED_USER,
 * BACKUP_KEY_NEEDED, ADMIN_ONLY or FOREIGN_ORIGIN.
 */
export async function serveBackup(app: FastifyInstance, services: Services): Promise<void> {
  if (services.connection.kind !== 'embedded') return;
  await removeUnfinishedBackups(services.config.data_dir);
  app.post(BACKUP_PATH, { schema: { hide: true } }, async (request, reply) => {
    const caller = await readCaller(services, request, { takesBackupKey: true });
    if (!caller?.key_kind) refuseForeignOrigin(request, services.config.public_url);
    if (!caller) return fail('NO_AUTHENTICATED_USER');
    if (caller.key_kind === 'account') return fail('BACKUP_KEY_NEEDED');
    if (!can(caller.actor, 'admin')) return fail('ADMIN_ONLY');
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const act = { actor_id: caller.actor.id, address: request.ip, request_id: request.id };
    const packed = await spoolBackup(services, act, gone.signal);
    return reply.type('application/gzip').send(packed);
  });
}
