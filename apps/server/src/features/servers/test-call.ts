import { parseDay } from '@linekeeper/contract/dates.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/test-call.ts';
import type { ServerCall } from '@linekeeper/contract/servers/test-call.ts';
import { sql } from 'kysely';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { deliverAgain } from '../../domain/delivery/settle.ts';
import { isChange } from '../../domain/machines/card-server/client.ts';
import type { TriedAccount } from '../../domain/machines/card-server/driver.ts';
import {
  completed,
  driverOf,
  type ServerConfiguration,
} from '../../domain/machines/open-driver.ts';
import { isSameMachine, machineOf } from '../../domain/machines/same-machine.ts';
import { findServerRow, withPassword } from '../../domain/machines/servers.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { findNewestActive } from './store.ts';

type Given = Parsed<typeof contract.testCall>['body'];

/**
 * The account in a call. Throws USERNAME_AND_PASSWORD_REQUIRED, USERNAME_REQUIRED, NOTHING_TO_UPDATE or
 * INVALID_EXPIRY_DATE without the arguments that the call needs.
 */
function readAccount(call: ServerCall, given: Given['arguments']): TriedAccount {
  const username = given.username?.trim() ?? '';
  if (call === 'health' || call === 'auth') return { username };
  if (call === 'add' && (!username || !given.password)) {
    failField(
      username ? 'arguments.password' : 'arguments.username',
      'USERNAME_AND_PASSWORD_REQUIRED',
    );
  }
  if (!username) failField('arguments.username', 'USERNAME_REQUIRED');
  if (call === 'delete') return { username };
  const day = given.expiry_date?.trim();
  if (call === 'edit' && !given.password && !day) {
    failField('arguments.password', 'NOTHING_TO_UPDATE');
  }
  const expiry_date = day ? parseDay(day) : null;
  if (!expiry_date && (day || call === 'add')) {
    failField('arguments.expiry_date', 'INVALID_EXPIRY_DATE');
  }
  return {
    username,
    ...(given.password ? { password: given.password } : {}),
    ...(expiry_date ? { expiry_date } : {}),
  };
}

/**
 * The configuration for a test call: the given one, or that of a stored server. Throws
 * SERVER_NOT_FOUND or NO_ACTIVE_CCCAM_SERVERS.
 */
async function chooseConfiguration(ctx: Ctx, given: Given): Promise<ServerConfiguration> {
  if (given.configuration && !given.server_id) return given.configuration;
  const server = given.server_id
    ? await findServerRow(ctx.db, given.server_id)
    : ((await findNewestActive(ctx.db)) ?? fail('NO_ACTIVE_CCCAM_SERVERS'));
  return withPassword(ctx.secrets, server);
}

/**
 * Makes one call with an administrator's arguments. After that a push is due for the name in the call, so that the test
 * does not change a sold line. Throws the errors of `readAccount` and `chooseConfiguration`.
 */
export const testCall: Action<typeof contract.testCall> = async (ctx, { body }) => {
  const { call } = body;
  const account = readAccount(call, body.arguments);
  const server = completed(await chooseConfiguration(ctx, body));
  if ('incomplete' in server) {
    const nothing = { request: null, reply: null, ms: null };
    return { ok: false, ...nothing, ...findingWithMessage(server.incomplete) };
  }
  if (isChange(call)) {
    // The audit entry is written before the call, because a call cannot be rolled back.
    await writeAudit(ctx.db, auditOriginOf(ctx), [
      {
        action: `server.test_call.${call}`,
        subject_type: 'server',
        subject_id: body.server_id ?? `${server.host_ip}:${server.api_port}`,
        data: { username: account.username },
      },
    ]);
  }
  const startedAt = performance.now();
  const driver = driverOf(ctx.outbound, server);
  const { finding, ...tried } = await driver.tryOut(call, account, ctx.stopping.signal);
  const ms = Math.round(performance.now() - startedAt);
  if (isChange(call)) {
    // The call may have changed an account of another entry on this machine.
    const isThere = sql`server_id in (
      select entry.id from cccam_servers entry join cccam_servers called on ${isSameMachine('entry', 'called')}
        where called.machine = ${machineOf(server)})`;
    await deliverAgain(ctx.db, sql`username = ${account.username} and ${isThere}`);
  }
  return { ok: finding === null, ...tried, ms, ...findingWithMessage(finding) };
};
