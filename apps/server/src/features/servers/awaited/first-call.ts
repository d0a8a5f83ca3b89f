import { randomBytes } from 'node:crypto';
import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/awaited.ts';
import { DEFAULT_SERVER_PORT } from '@linekeeper/contract/servers/servers.ts';
import ipaddr from 'ipaddr.js';
import { type SqlBool, sql } from 'kysely';
import type { ServerRow } from '../../../db/schema/schema.ts';
import type { StoredCall } from '../../../db/schema/server-schema.ts';
import { type Db, type Tx, transact } from '../../../db/transaction.ts';
import { auditOriginOf, writeAudit } from '../../../domain/audit/audit.ts';
import { recordTest } from '../../../domain/checks/server-checks.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { dayFinding } from '../../../domain/machines/card-server/agent-report.ts';
import { connect } from '../../../domain/machines/card-server/check-connection.ts';
import { tryFindServerRow } from '../../../domain/machines/servers.ts';
import { notifyAdministrators } from '../../../domain/notices/notify.ts';
import type { Action, Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { vetHost, withinDeadline } from '../../../platform/http-client/request.ts';
import { agentKeyLimit, callBackLimit, enforceLimit } from '../../../platform/rate-limit.ts';
import { type AwaitedRow, findAwaited, findByKey, toAwaited } from './store.ts';

/** The name under which the panel signs in to its agents. */
export const AGENT_USERNAME = 'linekeeper';

export const makePassword = () => randomBytes(24).toString('base64url');

/** An address as hosts are stored: IPv4 without its mapping into IPv6. */
function hostOf(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

type Called = { password: string; host: string };

/** The server of an awaited agent, if it is in the panel already. */
const serverOf = async (db: Db, { server_id }: Pick<AwaitedRow, 'server_id'>) =>
  server_id === null ? undefined : tryFindServerRow(db, server_id);

/**
 * True if the address from which an agent called is known to be the server's. A server that was
 * reached before keeps its address, so that no caller can redirect it. Decision 0135: someone with
 * a leaked key must not get control of the server.
 */
export async function isKnownCaller(
  { outbound, stopping }: Pick<Ctx, 'outbound' | 'stopping'>,
  host: string,
  { public_host, last_connection }: Pick<ServerRow, 'public_host' | 'last_connection'>,
): Promise<boolean> {
  if (last_connection) return true;
  if (public_host === null) return false;
  const found = await withinDeadline(outbound, stopping.signal, (signal) =>
    vetHost(outbound, public_host, signal),
  );
  return found?.addresses.some((address) => hostOf(address) === host) ?? false;
}

/** Completes a server that was added before its agent called, once the agent's address is confirmed. */
async function completeServer(
  tx: Tx,
  ctx: Ctx,
  row: Pick<AwaitedRow, 'id' | 'server_id' | 'call' | 'password'>,
) {
  const server = await serverOf(tx, row);
  const { call } = row;
  if (!server || server.last_connection || !call || row.password === null) return;
  // The card server's own port, unless the administrator has changed the default port.
  const port = server.port === DEFAULT_SERVER_PORT ? (call.port ?? server.port) : server.port;
  const password = ctx.secrets.open(row.password, row.id);
  const { host: host_ip, api_port } = call;
  const changes = { host_ip, api_port, username: AGENT_USERNAME, password };
  await editAsAgentSays(tx, ctx, server, port === server.port ? changes : { ...changes, port });
}

/** Stores the agent's data for its server, with the password in plain text. */
async function editAsAgentSays(
  tx: Tx,
  ctx: Ctx,
  { id, last_connection }: ServerRow,
  changes: Pick<ServerRow, 'api_port' | 'username' | 'password'> &
    Partial<Pick<ServerRow, 'host_ip' | 'port'>>,
): Promise<void> {
  await tx
    .updateTable('cccam_servers')
    .set({
      ...changes,
      ...(!last_connection && { api_scheme: 'http' }),
      password: ctx.secrets.seal(changes.password, id),
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute();
  await writeAudit(tx, auditOriginOf(ctx), [
    {
      action: 'server.edit',
      subject_type: 'server',
      subject_id: id,
      data: { fields: Object.keys(changes) },
    },
  ]);
}

/**
 * The address at which the panel calls an agent back. A server that was reached before keeps its own, so that running
 * the command on another machine does not redirect it; only the port is updated, if no proxy is in front of the agent.
 */
function addressToCall({ host, api_port }: StoredCall, server: ServerRow | undefined) {
  if (!server?.last_connection) return { host_ip: host, api_port, api_scheme: 'http' as const };
  const { host_ip, api_scheme } = server;
  const isDirect = api_scheme === 'http' && host_ip === host;
  return { host_ip, api_scheme, api_port: isDirect ? api_port : server.api_port };
}

/** The row of a key. Throws AGENT_KEY_UNKNOWN, and TOO_MANY_ATTEMPTS for a network. */
async function requireKey(db: Db, ctx: Ctx, key: string) {
  const row = await findByKey(db, key);
  if (row) return row;
  await enforceLimit(ctx.db, agentKeyLimit, ctx.network);
  return fail('AGENT_KEY_UNKNOWN');
}

/** Notifies everyone who may confirm the address, even if it is known, so that the use of a leaked key is noticed. */
async function notifyOfCall(tx: Tx, { server_id }: AwaitedRow, { host: address }: StoredCall) {
  const server = await serverOf(tx, { server_id });
  await notifyAdministrators(tx, {
    event: server ? 'agent_called' : 'new_agent_called',
    facts: { address, name: server?.server_name ?? '' },
    link: server ? `/cccam-servers/${server.id}` : '/cccam-servers/manage',
  });
}

/**
 * The first call of an agent after its installation, with the one-time key. Stores its address and replies with the
 * password for the panel's calls. Throws AGENT_KEY_UNKNOWN, AGENT_KEY_USED, AGENT_KEY_ENDED and TOO_MANY_ATTEMPTS.
 */
export const callAwaitedServer: Mutation<typeof contract.callAwaitedServer, Called, boolean> = {
  audit: { auditsItself: 'where a server is waiting that the call changes' },
  prepare: async (ctx, { body }) => {
    const server = await serverOf(ctx.db, await requireKey(ctx.db, ctx, body.key));
    return server !== undefined && isKnownCaller(ctx, hostOf(ctx.address), server);
  },
  commit: async (tx, ctx, { body }, isKnown) => {
    const { key, api_port, protocol, port, agent_version } = body;
    const row = (await findByKey(tx, key)) ?? fail('AGENT_KEY_UNKNOWN');
    const host = hostOf(ctx.address);
    // A failed installation may be repeated with its key, from the same address.
    const isAgain = row.call?.host === host && (!row.found || row.found.finding !== null);
    if (row.called_at && !isAgain) fail('AGENT_KEY_USED');
    if (row.has_ended) fail('AGENT_KEY_ENDED');
    const password = makePassword();
    const call: StoredCall = { host, api_port, protocol, port, agent_version };
    const made = await tx
      .updateTable('awaited_servers')
      .set({
        called_at: sql`now()`,
        call: JSON.stringify(call),
        password: ctx.secrets.seal(password, row.id),
        found: null,
        found_at: null,
        ...(isKnown && { confirmed_at: sql`now()` }),
      })
      .where('id', '=', row.id)
      .where('key_hash', '=', row.key_hash)
      // If two calls have the same key, the second waits for the first, and then finds the key used.
      .where(sql<SqlBool>`password is not distinct from ${row.password}`)
      .returningAll()
      .executeTakeFirst();
    if (!made) return fail('AGENT_KEY_USED');
    if (made.confirmed_at) await completeServer(tx, ctx, made);
    if (!row.called_at) await notifyOfCall(tx, made, call);
    return { password, host };
  },
  reply: async ({ config }, called) => ({
    ...called,
    username: AGENT_USERNAME,
    zone: config.time_zone,
  }),
};

/**
 * Calls an agent back at the address that it called from, and stores the findings. Throws AGENT_NOT_CALLED and
 * TOO_MANY_ATTEMPTS.
 */
async function callBack(ctx: Ctx, awaited: AwaitedRow) {
  const { id, server_id, call, password, key_hash, confirmed_at } = awaited;
  if (!call || password === null) return fail('AGENT_NOT_CALLED');
  if (!confirmed_at) await enforceLimit(ctx.db, callBackLimit, id);
  const opened = ctx.secrets.open(password, id);
  const address = addressToCall(call, await serverOf(ctx.db, { server_id }));
  const server = { ...address, username: AGENT_USERNAME, password: opened };
  const found = await connect(ctx.outbound, server);
  const { reload, obstacle, zone, server_day, held_day } = found.report;
  const stored = {
    latency_ms: found.latency_ms,
    finding: found.finding,
    reload: reload && { ...reload, finding: reload.finding ?? obstacle },
    zone,
    server_day,
    day_finding: dayFinding({ zone, server_day, held_day }, ctx.config.time_zone),
  };
  await transact(ctx.db, async (tx) => {
    const row = await tx
      .updateTable('awaited_servers')
      .set({ found: JSON.stringify(stored), found_at: sql`now()` })
      .where('id', '=', id)
      // A newer key has replaced this one in the meantime.
      .where('key_hash', '=', key_hash)
      .returning(['server_id', 'confirmed_at'])
      .executeTakeFirst();
    const server = row && (await serverOf(tx, row));
    if (!server || found.status !== 'active' || !row.confirmed_at) return;
    // A server that was completed by its agent becomes active with its first response.
    if (!server.last_connection) return void (await recordTest(tx, ctx.config, server, found));
    const { api_port } = address;
    // An agent that was installed again has another password, and this call has proved that both have the same one.
    const changes = { api_port, username: AGENT_USERNAME, password: opened };
    await editAsAgentSays(tx, ctx, server, changes);
    await recordTest(tx, ctx.config, { ...server, api_port }, found);
  });
  return found;
}

/**
 * Calls back an agent that has called before. Returns the stored result. Throws AWAITED_NOT_FOUND,
 * AGENT_NOT_CALLED or TOO_MANY_ATTEMPTS.
 */
async function callAgain(ctx: Ctx, id: string) {
  await callBack(ctx, await findAwaited(ctx.db, id));
  return toAwaited(await findAwaited(ctx.db, id));
}

/**
 * Calls back an agent that has called before, and stores the result. Throws AWAITED_NOT_FOUND,
 * AGENT_NOT_CALLED and TOO_MANY_ATTEMPTS.
 */
export const testAwaitedServer: Action<typeof contract.testAwaitedServer> = (ctx, { params }) =>
  callAgain(ctx, params.id);

/**
 * The second call of an installed agent, which asks the panel to call it back. Replies if the panel reached it, so that
 * the installer can print the result. Throws AGENT_KEY_UNKNOWN, AGENT_KEY_ENDED, AGENT_NOT_CALLED and
 * TOO_MANY_ATTEMPTS.
 */
export const readyAwaitedServer: Action<typeof contract.readyAwaitedServer> = async (
  ctx,
  { body: { key } },
) => {
  const row = await requireKey(ctx.db, ctx, key);
  if (row.has_ended) fail('AGENT_KEY_ENDED');
  const { status, finding } = await callBack(ctx, row);
  return {
    reached: status === 'active',
    is_confirmed: row.confirmed_at !== null,
    host: row.call?.host ?? '',
    ...findingWithMessage(finding),
  };
};

/**
 * Confirms the address that an agent called from. The server of the agent gets this address, and may become active.
 * Throws AWAITED_NOT_FOUND, AGENT_NOT_CALLED and TOO_MANY_ATTEMPTS.
 */
export const confirmAwaitedServer: Mutation<typeof contract.confirmAwaitedServer, null> = {
  audit: { auditsItself: 'if a server is in the panel already that takes the address' },
  commit: async (tx, ctx, { params: { id }, body: { host } }) => {
    await findAwaited(tx, id);
    const row = await tx
      .updateTable('awaited_servers')
      .set({ confirmed_at: sql`coalesce(confirmed_at, now())` })
      .where('id', '=', id)
      // Another agent may have called since the page was read.
      .where(sql`call ->> 'host'`, '=', host)
      .returningAll()
      .executeTakeFirst();
    if (!row) return fail('AGENT_NOT_CALLED');
    await completeServer(tx, ctx, row);
    return null;
  },
  reply: (ctx, _, { params }) => callAgain(ctx, params.id),
};
