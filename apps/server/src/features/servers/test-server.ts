import type * as contract from '@linekeeper/contract/servers.ts';
import type { ServerTest } from '@linekeeper/contract/servers.ts';
import { sql } from 'kysely';
import { testConnection } from '../../core/card-server/check-connection.ts';
import type { Ctx } from '../../core/context.ts';
import { fail } from '../../core/refusal.ts';
import type { Action } from '../../core/use-case.ts';
import type { ServerRow } from '../../db/schema.ts';

const AT_A_TIME = 8;

/** Tests one stored server and writes down what came of it. */
async function testAndRecord(ctx: Ctx, server: ServerRow): Promise<ServerTest> {
  const result = await testConnection(ctx.outbound, {
    ...server,
    password: ctx.secrets.open(server.password, server.id),
  });
  await ctx.db
    .updateTable('cccam_servers')
    .set({
      status: result.status,
      status_message: result.message,
      latency_ms: result.latency_ms,
      ...(result.status === 'active' ? { last_connection: sql`now()` } : {}),
    })
    .where('id', '=', server.id)
    .execute();
  return result;
}

export const testServer: Action<typeof contract.testServer> = async (ctx, { params }) => {
  const server = await ctx.db
    .selectFrom('cccam_servers')
    .selectAll()
    .where('id', '=', params.id)
    .executeTakeFirst();
  return server ? testAndRecord(ctx, server) : fail('SERVER_NOT_FOUND');
};

export const testServerConfiguration: Action<typeof contract.testServerConfiguration> = (
  ctx,
  { body },
) => testConnection(ctx.outbound, body);

export const checkServers: Action<typeof contract.checkServers> = async (ctx) => {
  const servers = await ctx.db
    .selectFrom('cccam_servers')
    .selectAll()
    .orderBy('created_at', 'desc')
    .execute();
  const items: (ServerTest & { id: string; server_name: string })[] = new Array(servers.length);
  const waiting = servers.entries();
  const worker = async () => {
    for (const [index, server] of waiting) {
      const { id, server_name } = server;
      items[index] = { ...(await testAndRecord(ctx, server)), id, server_name };
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return { items };
};
