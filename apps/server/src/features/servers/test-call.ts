import { parseDay } from '@linekeeper/contract/dates.ts';
import type { Parsed, ReplyToSend } from '@linekeeper/contract/endpoint.ts';
import { type Finding, findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/test-call.ts';
import type { ServerCall } from '@linekeeper/contract/servers/test-call.ts';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { redeliverOnMachine } from '../../domain/delivery/redeliver.ts';
import {
  completed,
  notReached,
  type ServerConfiguration,
  versionOf,
} from '../../domain/machines/card-server/check-connection.ts';
import {
  addUser,
  type CardServer,
  deleteUser,
  editUser,
  getHealth,
  getRoot,
  hasSuccessStatus,
  isSuccess,
  safeMessage,
  secretsOf,
} from '../../domain/machines/card-server/client.ts';
import {
  type PushFailure,
  pushFinding,
  saidBy,
} from '../../domain/machines/card-server/messages.ts';
import { withPassword } from '../../domain/machines/servers.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import type { Reply, Unreachable } from '../../platform/http-client/request.ts';
import { findNewestActive, findServerRow } from './store.ts';
import { callOscam } from './test-call-oscam.ts';

type Given = Parsed<typeof contract.testCall>['body'];
/** The line in a call; dates as YYYY-MM-DD. */
interface Line {
  username: string;
  password?: string;
  expiry_date?: string;
}

/** Dots that an administrator sees in place of the passwords that were sent. */
const DOTS = '••••••••';

const sent = {
  health: { method: 'GET', path: '/health' },
  auth: { method: 'GET', path: '/' },
  add: { method: 'POST', path: '/add-user' },
  edit: { method: 'PUT', path: '/edit-user' },
  delete: { method: 'DELETE', path: '/delete-user' },
} as const satisfies Record<ServerCall, { method: string; path: string }>;

/** Refuses a call without the arguments that its kind needs. */
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

async function chooseConfiguration(ctx: Ctx, given: Given): Promise<ServerConfiguration> {
  if (given.configuration && !given.server_id) return given.configuration;
  const server = given.server_id
    ? await findServerRow(ctx.db, given.server_id)
    : ((await findNewestActive(ctx.db)) ?? fail('NO_ACTIVE_CCCAM_SERVERS'));
  return withPassword(ctx.secrets, server);
}

function send(
  { outbound, stopping }: Ctx,
  server: CardServer,
  call: ServerCall,
  line: Line,
): Promise<Reply | Unreachable> {
  const { signal } = stopping;
  switch (call) {
    case 'health':
      return getHealth(outbound, server, signal);
    case 'auth':
      return getRoot(outbound, server, signal);
    case 'add':
      return addUser(outbound, server, { password: '', expiry_date: '', ...line }, signal);
    case 'edit':
      return editUser(outbound, server, line, signal);
    case 'delete':
      return deleteUser(outbound, server, line.username, signal);
  }
}

/** The problem found, or null. */
function problemOf(
  call: ServerCall,
  answer: Reply | Unreachable,
  refusal: Pick<PushFailure, 'reason' | 'said'>,
): Finding | null {
  if (answer.kind === 'unreachable') return notReached(answer);
  if (call === 'health') {
    return hasSuccessStatus(answer)
      ? null
      : { code: 'API_NOT_RESPONDING', data: { status: answer.status } };
  }
  if (call === 'auth' && !hasSuccessStatus(answer)) {
    return { code: 'API_AUTHENTICATION_FAILED', data: { status: answer.status } };
  }
  if (isSuccess(answer)) return null;
  return call === 'auth'
    ? notReached({ reason: 'invalid response' })
    : pushFinding(call, { kind: 'refused', ...refusal });
}

function describeRequest(
  server: CardServer,
  call: ServerCall,
  line: Line,
): ReplyToSend<typeof contract.testCall>['request'] {
  const { method, path } = sent[call];
  const isUpdate = call === 'edit';
  const expiry = line.expiry_date?.split('-').reverse().join('-');
  const hasBody = method !== 'GET';
  return {
    method,
    url: `${server.api_scheme}://${server.host_ip}:${server.api_port}${path}`,
    headers: call === 'health' ? {} : { authorization: `Basic ${DOTS}` },
    body: hasBody
      ? {
          username: line.username,
          ...(line.password && { [isUpdate ? 'newPassword' : 'password']: DOTS }),
          ...(expiry && { [isUpdate ? 'newExpiryDate' : 'expiryDate']: expiry }),
        }
      : null,
  };
}

/**
 * Makes one call with an administrator's arguments. Afterwards a push is due for that name, so that
 * the test does not change a sold line.
 */
export const testCall: Action<typeof contract.testCall> = async (ctx, { body }) => {
  const { call } = body;
  const line = readLine(call, body.arguments);
  const chosen = await chooseConfiguration(ctx, body);
  const server = completed(chosen);
  if ('incomplete' in server) {
    return {
      ok: false,
      request: null,
      reply: null,
      ms: null,
      ...findingWithMessage(server.incomplete),
    };
  }
  const changes = call === 'add' || call === 'edit' || call === 'delete';
  if (changes) {
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
  if (chosen.kind === 'oscam_webif') {
    const made = await callOscam(ctx, { ...chosen, ...server }, call, line);
    if (changes) await redeliverOnMachine(ctx.db, server, line.username);
    return { ...made, ms: Math.round(performance.now() - startedAt) };
  }
  const answer = await send(ctx, server, call, line);
  const ms = Math.round(performance.now() - startedAt);
  if (changes) await redeliverOnMachine(ctx.db, server, line.username);
  const said = answer.kind === 'reply' ? safeMessage(answer, server, line.password) : '';
  const secrets = secretsOf(server, line.password);
  const meant = answer.kind === 'reply' ? saidBy(answer, secrets) : undefined;
  const finding = problemOf(call, answer, { reason: said, said: meant });
  return {
    ok: finding === null,
    request: describeRequest(server, call, line),
    reply:
      answer.kind === 'reply'
        ? {
            status: answer.status,
            message: said || null,
            version: versionOf(answer.json?.version, server),
          }
        : null,
    ms,
    ...findingWithMessage(finding),
  };
};
