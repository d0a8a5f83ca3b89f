import type * as contract from '@linekeeper/contract/servers/servers.ts';
import { sql } from 'kysely';
import { serverSubject } from '../../core/audit/audit-subjects.ts';
import { parseHost } from '../../core/card-server/address.ts';
import { newId } from '../../core/ids.ts';
import {
  applyAddressChange,
  hasAddressChanged,
  lockAgainstSales,
  lockServers,
} from '../../core/pushes/server-accounts.ts';
import { endIncident } from '../../core/pushes/server-incidents.ts';
import { fail, failField } from '../../core/refusal.ts';
import type { Mutation } from '../../core/use-case.ts';
import { findServer } from './store.ts';

type Saved = { id: string };

interface Deleted extends Saved {
  /** Pending deletions on the server, which are discarded. */
  forgotten_deletions: number;
}

function checkHost(host: string | undefined): void {
  if (host !== undefined && 'error' in parseHost(host)) failField('host_ip', 'INVALID_HOST');
}

export const createServer: Mutation<typeof contract.createServer, Saved> = {
  audit: { action: 'server.create', subject: serverSubject, made: ({ id }) => id },
  commit: async (tx, { actor, secrets }, { body }) => {
    checkHost(body.host_ip);
    const id = newId();
    await tx
      .insertInto('cccam_servers')
      .values({ ...body, id, password: secrets.seal(body.password, id), user_id: actor.id })
      .execute();
    return { id };
  },
  reply: async ({ db }, { id }) => ({ server: await findServer(db, id) }),
};

/** The results of earlier checks belong to the machine at the old address. */
const untested = {
  status: 'inactive',
  status_finding: null,
  latency_ms: null,
  failures: 0,
  good_checks: 0,
  instance: null,
  repaired_at: null,
  reload: null,
  zone: null,
  server_day: null,
  day_finding: null,
  reload_look_at: null,
} as const;

export const editServer: Mutation<typeof contract.editServer, Saved> = {
  audit: {
    action: 'server.edit',
    subject: serverSubject,
    of: ({ params }) => params.id,
    // Lists changed fields, because the states before and after do not contain the password.
    data: ({ body }) => ({ fields: Object.keys(body) }),
  },
  commit: async (tx, { secrets }, { params: { id }, body }) => {
    checkHost(body.host_ip);
    const { password, ...changes } = body;
    const isMoved = [body.host_ip, body.port, body.api_port].some((part) => part !== undefined);
    // A sale that went to the old address unseen would count as delivered to the new one.
    if (isMoved) await lockAgainstSales(tx, id);
    const [before] = await lockServers(tx, [id]);
    const { host_ip = before.host_ip, port = before.port, api_port = before.api_port } = body;
    const after = { id, host_ip, port, api_port };
    // A server with a new address sells nothing until a test succeeds.
    const isUntested = hasAddressChanged(before, after);
    await tx
      .updateTable('cccam_servers')
      .set({
        ...changes,
        ...(isUntested ? untested : {}),
        ...(password === undefined ? {} : { password: secrets.seal(password, id) }),
        updated_at: sql`now()`,
      })
      .where('id', '=', id)
      .execute();
    if (isUntested) await endIncident(tx, id);
    await applyAddressChange(tx, before, after);
    return { id };
  },
  reply: async ({ db }, { id }) => ({ server: await findServer(db, id) }),
};

export const deleteServer: Mutation<typeof contract.deleteServer, Deleted> = {
  audit: {
    action: 'server.delete',
    subject: serverSubject,
    of: ({ params }) => params.id,
    data: (_, { forgotten_deletions }) => ({ forgotten_deletions }),
  },
  commit: async (tx, _ctx, { params: { id }, query: { force = false } }) => {
    // Locked first, so that a concurrent sale on this server is waited for and counted.
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
    return { id, forgotten_deletions: deletions_due };
  },
  reply: async () => ({ success: true }),
};
