import { once } from 'node:events';
import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/servers.ts';
import type { ServerTest } from '@linekeeper/contract/servers/servers.ts';
import type { ServerRow } from '../../db/schema/schema.ts';
import { transact } from '../../db/transaction.ts';
import { serverActedUpon } from '../../domain/audit/audit-subjects.ts';
import { recordTest, testStored } from '../../domain/checks/server-checks.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { lookAgain, noteReload } from '../../domain/machines/agent-reports.ts';
import { NOT_READ_YET } from '../../domain/machines/card-server/agent-report.ts';
import { call, hasSuccessStatus } from '../../domain/machines/card-server/client.ts';
import { openDriver, testConfiguration } from '../../domain/machines/open-driver.ts';
import { isAt } from '../../domain/machines/same-machine.ts';
import { findServerRow, tryFindServerRow, withPassword } from '../../domain/machines/servers.ts';
import type { Action, Mutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { withinDeadline } from '../../platform/http-client/request.ts';
import { mapAtMost } from '../../platform/semaphore.ts';
import { findServer, toReload } from './store.ts';

const AT_A_TIME = 8;
const REPLY_AFTER_MS = 2000;

/**
 * Tests a stored server and stores the result; null if it was deleted in the meantime. If its address was changed in
 * the meantime, it is tested again, because the result is about the old one.
 */
async function testAndRecord(ctx: Ctx, server: ServerRow): Promise<ServerTest | null> {
  const found = await testStored(ctx, server, { isThorough: true });
  const isStored = await transact(ctx.db, (tx) => recordTest(tx, ctx.config, server, found));
  if (isStored) return found;
  const now = await tryFindServerRow(ctx.db, server.id);
  return now ? testAndRecord(ctx, now) : null;
}

/**
 * Tests a server that has just been added, which makes it active. A server that does not respond
 * stays inactive until a later test, with the reason. The response waits for the test no longer
 * than it does for the first push of a change. Throws SERVER_NOT_FOUND.
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
      .where('status', '=', 'inactive')
      .where(isAt(server))
      .execute();
  };
  const testing = test()
    .catch((error: unknown) => ctx.log.error({ err: error, server_id: id }, 'server not tested'))
    .finally(() => ctx.attempts.delete(testing));
  ctx.attempts.add(testing);
  const limits = { deadlineMs: ctx.outbound.replyAfterMs ?? REPLY_AFTER_MS };
  await withinDeadline(limits, undefined, (over) => Promise.race([testing, once(over, 'abort')]));
}

/** Tests a server. Throws SERVER_NOT_FOUND, also if it is deleted during the test. */
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
  const tested = await mapAtMost(AT_A_TIME, servers, async (server) => {
    const { id, server_name } = server;
    const result = await testAndRecord(ctx, server);
    return result ? [{ ...result, id, server_name }] : [];
  });
  return { items: tested.flat() };
};

/** Makes the card server reload its accounts, and returns the result. Throws SERVER_NOT_FOUND. */
export const reloadServer: Action<typeof contract.reloadServer> = async (ctx, { params }) => {
  const row = await findServerRow(ctx.db, params.id);
  const result = await openDriver(ctx, row).reread(ctx.stopping.signal);
  if (!result.ok) {
    const { reload } = await findServer(ctx.db, row.id);
    return { applied: false, ...findingWithMessage(result.finding), reload };
  }
  const { applied, reload } = result;
  if (reload) await noteReload(ctx.db, row, reload);
  const finding = applied ? null : (reload?.finding ?? NOT_READ_YET);
  return { applied, ...findingWithMessage(finding), reload: toReload(reload) };
};

/** Reads the groups and services of the card server that a plan can name. Throws SERVER_NOT_FOUND. */
export const readRightsChoices: Action<typeof contract.rightsChoices> = async (ctx, { params }) => {
  const row = await findServerRow(ctx.db, params.id);
  const choices = await openDriver(ctx, row).rightsChoices(ctx.stopping.signal);
  const { groups = null, services = null } = choices ?? {};
  return { groups, services, read_at: new Date().toISOString() };
};

/**
 * Lets an agent end lines by the date of its clock, after an administrator has confirmed it. Throws SERVER_NOT_FOUND
 * and DAY_NOT_CONFIRMED.
 */
export const confirmServerDay: Mutation<typeof contract.confirmServerDay, null> = {
  audit: { action: 'server.confirm_day', subject: serverActedUpon, of: ({ params }) => params.id },
  prepare: async (ctx, { params, body: { day } }) => {
    const { outbound, secrets, stopping } = ctx;
    const row = await findServerRow(ctx.db, params.id);
    if (row.day_finding?.code !== 'DAY_HELD') fail('DAY_NOT_CONFIRMED');
    const called = { outbound, server: withPassword(secrets, row), signal: stopping.signal };
    const answer = await call(called, 'confirmDay', { body: { day } });
    const isTaken = answer.kind === 'reply' && hasSuccessStatus(answer);
    if (!isTaken) fail('DAY_NOT_CONFIRMED');
    await lookAgain(ctx, row);
    return undefined;
  },
  commit: async () => null,
  reply: ({ db }, _, { params }) => findServer(db, params.id),
};
