import { parseDay } from '@linekeeper/contract/dates.ts';
import type { Parsed, ReplyToSend } from '@linekeeper/contract/endpoint.ts';
import { type Finding, findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/test-call.ts';
import type { ServerCall } from '@linekeeper/contract/servers/test-call.ts';
import { EDIT, STATS } from '@linekeeper/oscam/pages.ts';
import { sql } from 'kysely';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { deliverAgain } from '../../domain/delivery/settle.ts';
import { notReached, versionOf } from '../../domain/machines/card-server/check-connection.ts';
import {
  bodyOf,
  call as callApi,
  calls,
  hasSuccessStatus,
  isSuccess,
  type PushResult,
  secretsOf,
} from '../../domain/machines/card-server/client.ts';
import type { CardServerDriver } from '../../domain/machines/card-server/driver.ts';
import { pushFinding, replyMessage, saidBy } from '../../domain/machines/card-server/messages.ts';
import {
  completed,
  driverOf,
  type Opened,
  type ServerConfiguration,
} from '../../domain/machines/open-driver.ts';
import { isSameMachine, machineOf } from '../../domain/machines/same-machine.ts';
import { withPassword } from '../../domain/machines/servers.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { findNewestActive, findServerRow } from './store.ts';

type Given = Parsed<typeof contract.testCall>['body'];
/** The line in a call; dates as YYYY-MM-DD. */
type Line = Parameters<typeof bodyOf>[1];
type Change = 'add' | 'edit' | 'delete';
type Made = Pick<ReplyToSend<typeof contract.testCall>, 'reply'> & { finding: Finding | null };

/** Dots that an administrator sees in place of the passwords that were sent. */
const DOTS = '••••••••';

/** The page of OSCam's that a call ends in. */
const pages = {
  health: { method: 'GET', path: STATS },
  auth: { method: 'GET', path: STATS },
  add: { method: 'POST', path: EDIT },
  edit: { method: 'POST', path: EDIT },
  delete: { method: 'GET', path: `${STATS}&action=delete` },
} as const satisfies Record<ServerCall, { method: string; path: string }>;

/**
 * The line of a call. Throws USERNAME_AND_PASSWORD_REQUIRED, USERNAME_REQUIRED, NOTHING_TO_UPDATE or
 * INVALID_EXPIRY_DATE without the arguments that the call needs.
 */
function readLine(call: ServerCall, given: Given['arguments']): Line {
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

/** Throws SERVER_NOT_FOUND or NO_ACTIVE_CCCAM_SERVERS. */
async function chooseConfiguration(ctx: Ctx, given: Given): Promise<ServerConfiguration> {
  if (given.configuration && !given.server_id) return given.configuration;
  const server = given.server_id
    ? await findServerRow(ctx.db, given.server_id)
    : ((await findNewestActive(ctx.db)) ?? fail('NO_ACTIVE_CCCAM_SERVERS'));
  return withPassword(ctx.secrets, server);
}

const isChange = (call: ServerCall): call is Change => call !== 'health' && call !== 'auth';

async function callAgent(
  { outbound, stopping: { signal } }: Ctx,
  server: Opened,
  call: ServerCall,
  line: Line,
): Promise<Made> {
  const options = isChange(call) ? { body: bodyOf(call, line) } : {};
  const answer = await callApi({ outbound, server, signal }, call, options);
  if (answer.kind === 'unreachable') return { finding: notReached(answer), reply: null };
  const { status, json } = answer;
  const secrets = secretsOf(server, line.password);
  const reason = replyMessage(answer, secrets);
  const problem = (): Finding | null => {
    if (isChange(call)) {
      const refusal = { kind: 'refused', reason, said: saidBy(answer, secrets) } as const;
      return isSuccess(answer) ? null : pushFinding(call, refusal);
    }
    const code = call === 'health' ? 'API_NOT_RESPONDING' : 'API_AUTHENTICATION_FAILED';
    if (!hasSuccessStatus(answer)) return { code, data: { status } };
    const isSound = call === 'health' || isSuccess(answer);
    return isSound ? null : notReached({ reason: 'invalid response' });
  };
  const version = versionOf(json?.version, server);
  return { finding: problem(), reply: { status, message: reason || null, version } };
}

/** Makes a change by OSCam's web interface, which takes several pages. What is not given stays as OSCam has it. */
async function change(
  driver: CardServerDriver,
  call: Change,
  { username, ...given }: Line,
  signal: AbortSignal,
): Promise<PushResult> {
  if (call === 'delete') return driver.remove(username, { onServer: true, lines: [], signal });
  const known = (await driver.show([username], signal))?.get(username);
  const password = given.password ?? known?.password;
  const expiry_date = given.expiry_date ?? known?.expiry_date;
  // Nothing is there to be changed, and an account without a password would be open to everybody.
  if (!password || !expiry_date) return { ok: false, kind: 'refused', reason: 'User not found' };
  const account = { username, password, expiry_date, is_suspended: false };
  return driver.put(account, { onServer: call === 'edit', signal });
}

async function callOscam(
  { outbound, stopping: { signal } }: Ctx,
  server: Opened,
  call: ServerCall,
  line: Line,
): Promise<Made> {
  const driver = driverOf(outbound, server);
  let found: { finding: Finding | null; version: string | null };
  if (isChange(call)) {
    const result = await change(driver, call, line, signal);
    found = { finding: result.ok ? null : pushFinding(call, result), version: null };
  } else found = await driver.test(signal);
  const { finding, version } = found;
  return { finding, reply: finding ? null : { status: 200, message: null, version } };
}

/** The request as it was sent, with dots for the secrets in it. */
function describeRequest(
  { api_scheme, host_ip, api_port, kind }: Opened,
  call: ServerCall,
  line: Line,
): ReplyToSend<typeof contract.testCall>['request'] {
  const isOscam = kind === 'oscam_webif';
  const { method, path } = isOscam ? pages[call] : calls[call];
  const shown = { ...line, ...(line.password && { password: DOTS }) };
  const { username, password, expiry_date = '' } = shown;
  const form = { user: username, ...(password && { pwd: password }), expdate: expiry_date };
  const json = isChange(call) ? bodyOf(call, shown) : null;
  const isOpen = !isOscam && call === 'health';
  return {
    method,
    url: `${api_scheme}://${host_ip}:${api_port}${path}`,
    headers: isOpen ? {} : { authorization: `${isOscam ? 'Digest' : 'Basic'} ${DOTS}` },
    body: method === 'GET' ? null : ((isOscam ? form : json) as Record<string, string>),
  };
}

/**
 * Makes one call with an administrator's arguments. Afterwards a push is due for that name, so that
 * the test does not change a sold line. Throws what `readLine` and `chooseConfiguration` throw.
 */
export const testCall: Action<typeof contract.testCall> = async (ctx, { body }) => {
  const { call } = body;
  const line = readLine(call, body.arguments);
  const server = completed(await chooseConfiguration(ctx, body));
  if ('incomplete' in server) {
    const nothing = { request: null, reply: null, ms: null };
    return { ok: false, ...nothing, ...findingWithMessage(server.incomplete) };
  }
  if (isChange(call)) {
    // Written before the call, because a call cannot be rolled back.
    await writeAudit(ctx.db, auditOriginOf(ctx), [
      {
        action: `server.test_call.${call}`,
        subject_type: 'server',
        subject_id: body.server_id ?? `${server.host_ip}:${server.api_port}`,
        data: { username: line.username },
      },
    ]);
  }
  const startedAt = performance.now();
  const make = server.kind === 'oscam_webif' ? callOscam : callAgent;
  const { finding, reply } = await make(ctx, server, call, line);
  const ms = Math.round(performance.now() - startedAt);
  if (isChange(call)) {
    // The call may have changed an account that an entry of this machine has there.
    const isThere = sql`server_id in (
      select entry.id from cccam_servers entry join cccam_servers called on ${isSameMachine('entry', 'called')}
        where called.machine = ${machineOf(server)})`;
    await deliverAgain(ctx.db, sql`username = ${line.username} and ${isThere}`);
  }
  return {
    ok: finding === null,
    request: describeRequest(server, call, line),
    reply,
    ms,
    ...findingWithMessage(finding),
  };
};
