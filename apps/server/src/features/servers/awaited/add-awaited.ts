import type * as contract from '@linekeeper/contract/servers/awaited.ts';
import { DEFAULT_API_PORT } from '@linekeeper/contract/servers/servers.ts';
import { sql } from 'kysely';
import { serverSubject } from '../../../domain/audit/audit-subjects.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { checkHosts, insertServer } from '../save-server.ts';
import { findServer } from '../store.ts';
import { AGENT_USERNAME, isKnownCaller, makePassword } from './first-call.ts';
import { findAwaited } from './store.ts';

type Added = { id: string };

export const addAwaitedServer: Mutation<
  typeof contract.addAwaitedServer,
  Added,
  string | undefined
> = {
  audit: { action: 'server.create', subject: serverSubject, made: ({ id }) => id },
  // The address that was typed for customers may be the one that the agent called from.
  prepare: async (ctx, { params, body: { public_host } }) => {
    const { call } = await findAwaited(ctx.db, params.id);
    const server = { public_host, last_connection: null };
    return call && (await isKnownCaller(ctx, call.host, server)) ? call.host : undefined;
  },
  commit: async (tx, ctx, { params, body }, knownHost) => {
    checkHosts(body);
    const awaited = await tx
      .selectFrom('awaited_servers')
      .selectAll()
      .where('id', '=', params.id)
      .forUpdate()
      .executeTakeFirst();
    if (!awaited) return fail('AWAITED_NOT_FOUND');
    if (awaited.server_id) fail('AWAITED_ADDED');
    const isKnown = knownHost !== undefined && awaited.call?.host === knownHost;
    const isConfirmed = awaited.confirmed_at !== null || isKnown;
    const { call, password } = isConfirmed ? awaited : { call: null, password: null };
    const { public_host } = body;
    // Until an agent has called from a confirmed address, the address for customers is the only one that is known.
    const host_ip = body.host_ip ?? call?.host ?? public_host;
    const { id } = await insertServer(tx, ctx, {
      ...body,
      host_ip,
      public_host: public_host === call?.host ? null : public_host,
      api_port: body.api_port ?? call?.api_port ?? DEFAULT_API_PORT,
      username: AGENT_USERNAME,
      password: password ? ctx.secrets.open(password, awaited.id) : makePassword(),
    });
    await tx
      .updateTable('awaited_servers')
      .set({ server_id: id, ...(call && { confirmed_at: sql`coalesce(confirmed_at, now())` }) })
      .where('id', '=', awaited.id)
      .execute();
    return { id };
  },
  reply: async ({ db }, { id }) => ({ server: await findServer(db, id) }),
};
