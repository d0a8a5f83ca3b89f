import type * as contract from '@linekeeper/contract/servers.ts';
import { sql } from 'kysely';
import { audit } from '../../core/audit.ts';
import { parseHost } from '../../core/card-server/address.ts';
import { newId } from '../../core/ids.ts';
import { fail, failField } from '../../core/refusal.ts';
import { followServer, isElsewhere, lockServers } from '../../core/server-accounts.ts';
import type { Mutation } from '../../core/use-case.ts';
import { findServer } from './store.ts';

type Saved = { id: string };

function checkHost(host: string | undefined): void {
  if (host !== undefined && 'error' in parseHost(host)) failField('host_ip', 'INVALID_HOST');
}

export const createServer: Mutation<typeof contract.createServer, Saved> = {
  commit: async (tx, { actor, secrets }, { body }) => {
    checkHost(body.host_ip);
    const id = newId();
    await tx
      .insertInto('cccam_servers')
      .values({ ...body, id, password: secrets.seal(body.password, id), user_id: actor.id })
      .execute();
    await audit(tx, {
      actor_id: actor.id,
      action: 'server.create',
      subject_type: 'server',
      subject_id: id,
    });
    return { id };
  },
  reply: async ({ db }, { id }) => ({ server: await findServer(db, id) }),
};

export const editServer: Mutation<typeof contract.editServer, Saved> = {
  commit: async (tx, { actor, secrets }, { params: { id }, body }) => {
    checkHost(body.host_ip);
    const { password, ...changes } = body;
    const [before] = await lockServers(tx, [id]);
    const { host_ip = before.host_ip, port = before.port, api_port = before.api_port } = body;
    const after = { id, host_ip, port, api_port };
    // Nobody has spoken with the machine there: it sells nothing until a test has found it.
    const isUntested = isElsewhere(before, after);
    await tx
      .updateTable('cccam_servers')
      .set({
        ...changes,
        ...(isUntested ? { status: 'inactive', status_message: null, latency_ms: null } : {}),
        ...(password === undefined ? {} : { password: secrets.seal(password, id) }),
        updated_at: sql`now()`,
      })
      .where('id', '=', id)
      .execute();
    await followServer(tx, before, after);
    await audit(tx, {
      actor_id: actor.id,
      action: 'server.edit',
      subject_type: 'server',
      subject_id: id,
      data: { fields: Object.keys(body) },
    });
    return { id };
  },
  reply: async ({ db }, { id }) => ({ server: await findServer(db, id) }),
};

export const deleteServer: Mutation<typeof contract.deleteServer, Saved> = {
  commit: async (tx, { actor }, { params: { id }, query: { force = false } }) => {
    // Locked first: a sale that chose this server meanwhile is waited for and then counted.
    const server = await tx
      .selectFrom('cccam_servers')
      .select('id')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!server) fail('SERVER_NOT_FOUND');
    const { line_count, deletions_due } = await findServer(tx, id);
    if (line_count > 0) fail('SERVER_HAS_LINES', { count: line_count });
    if (deletions_due > 0 && !force) fail('SERVER_HAS_DELETIONS', { count: deletions_due });
    await tx.deleteFrom('cccam_servers').where('id', '=', id).execute();
    await audit(tx, {
      actor_id: actor.id,
      action: 'server.delete',
      subject_type: 'server',
      subject_id: id,
      data: { forgotten_deletions: deletions_due },
    });
    return { id };
  },
  reply: async () => ({ success: true }),
};
