import { once } from 'node:events';
import type * as contract from '@linekeeper/contract/servers/servers.ts';
import type { ServerTest } from '@linekeeper/contract/servers/servers.ts';
import type { ServerRow } from '../../db/schema/schema.ts';
import { transact } from '../../db/transaction.ts';
import { recordTest, testStored } from '../../domain/checks/server-checks.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { connectionReport } from '../../domain/machines/card-server/check-connection.ts';
import { testConfiguration } from '../../domain/machines/open-driver.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { withinDeadline } from '../../platform/http-client/request.ts';
import { findServerRow, tryFindServerRow } from './store.ts';

const AT_A_TIME = 8;
const REPLY_AFTER_MS = 2000;

/**
 * Tests a stored server and stores the result; null if it was deleted meanwhile. One whose address was
 * changed meanwhile is tested anew, because nothing was found out about that.
 */
async function testAndRecord(ctx: Ctx, server: ServerRow): Promise<ServerTest | null> {
  const found = await testStored(ctx, server, { isThorough: true });
  const isStored = await transact(ctx.db, (tx) => recordTest(tx, ctx.config, server, found));
  if (isStored) return connectionReport(found);
  const now = await tryFindServerRow(ctx.db, server.id);
  return now ? testAndRecord(ctx, now) : null;
}

/**
 * Tests a server that has just been added, which makes it active; one that is not found stays inactive until a test, and
 * says why. The reply waits as long as that of a change does for its first push.
 */
export async function testAdded(ctx: Ctx, id: string): Promise<void> {
  const server = await findServerRow(ctx.db, id);
  const test = async () => {
    const found = await testStored(ctx, server, { signal: ctx.stopping.signal });
    if (found.status === 'active') {
      await transact(ctx.db, (tx) => recordTest(tx, ctx.config, server, found));
      return;
    }
    await ctx.db
      .updateTable('cccam_servers')
      .set({ status_finding: found.finding && JSON.stringify(found.finding) })
      .where('id', '=', id)
      .where('status', '=', 'inactive')
      .where('host_ip', '=', server.host_ip)
      .where('api_port', '=', server.api_port)
      .execute();
  };
  const testing = test()
    .catch((error: unknown) => ctx.log.error({ err: error, server_id: id }, 'server not tested'))
    .finally(() => ctx.attempts.delete(testing));
  ctx.attempts.add(testing);
  const limits = { deadlineMs: ctx.outbound.replyAfterMs ?? REPLY_AFTER_MS };
  await withinDeadline(limits, undefined, (over) => Promise.race([testing, once(over, 'abort')]));
}

export const testServer: Action<typeof contract.testServer> = async (ctx, { params }) => {
  const result = await testAndRecord(ctx, await findServerRow(ctx.db, params.id));
  return result ?? fail('SERVER_NOT_FOUND');
};

export const testServerConfiguration: Action<typeof contract.testServerConfiguration> = (
  ctx,
  { body },
) => testConfiguration(ctx.outbound, body);

export const checkServers: Action<typeof contract.checkServers> = async (ctx) => {
  const servers = await ctx.db
    .selectFrom('cccam_servers')
    .selectAll()
    .orderBy('created_at', 'desc')
    .execute();
  const results: (ServerTest | null)[] = servers.map(() => null);
  const waiting = servers.entries();
  const worker = async () => {
    for (const [index, server] of waiting) {
      results[index] = await testAndRecord(ctx, server);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  const items = servers.flatMap(({ id, server_name }, index) => {
    const result = results[index];
    return result ? [{ ...result, id, server_name }] : [];
  });
  return { items };
};
