import type * as contract from '@linekeeper/contract/servers/awaited.ts';
import { AGENT_SCRIPT_PATH } from '@linekeeper/contract/servers/awaited.ts';
import { addressWarning } from '@linekeeper/contract/servers/customer-address.ts';
import { DEFAULT_API_PORT } from '@linekeeper/contract/servers/servers.ts';
import { sql } from 'kysely';
import { serverSubject } from '../../../domain/audit/audit-subjects.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { newId } from '../../../platform/ids.ts';
import { makeCode } from '../../../platform/make-code.ts';
import { checkHosts, insertServer } from '../save-server.ts';
import { findServer } from '../store.ts';
import { AGENT_USERNAME, isKnownCaller, makePassword } from './first-call.ts';
import { type AwaitedRow, findAwaited, hashOfKey, keyEnds, toAwaited } from './store.ts';

/**
 * The panel's address for the card server: PUBLIC_URL, or else the address in the administrator's
 * browser. Anyone who can change the script on the network controls the card server, so plain http
 * is only allowed if both are on one machine. Throws PANEL_ADDRESS_INSECURE.
 */
function panelAddress({ config, headers }: Pick<Ctx, 'config' | 'headers'>): URL {
  const { public_url } = config;
  const host = headers.get('host') ?? `127.0.0.1:${config.port}`;
  const address = public_url ?? URL.parse(headers.get('origin') ?? '') ?? new URL(`http://${host}`);
  const isSafe = address.protocol === 'https:' || addressWarning(address.hostname) === 'loopback';
  return isSafe ? address : fail('PANEL_ADDRESS_INSECURE');
}

/**
 * The installation command as one line for any Linux. The key is passed in the environment, because
 * any user of the machine can read arguments. The command contains the panel's address if the
 * script has none, because only the browser knows the address.
 */
function commandOf(ctx: Pick<Ctx, 'config' | 'headers'>, key: string): string {
  const { origin } = panelAddress(ctx);
  const script = `${origin}${AGENT_SCRIPT_PATH}`;
  const panel = ctx.config.public_url ? '' : ` PANEL=${origin}`;
  return `(curl -fsSL ${script} || wget -qO- ${script}) | KEY=${key}${panel} sh`;
}

type Awaiting = { key: string; row: AwaitedRow };

/**
 * Creates the command that installs an agent, with a key that works once. A new key for the same `id` or `server_id`
 * replaces the one before, and anything that an agent sent with that one is dropped. Throws PANEL_ADDRESS_INSECURE,
 * AWAITED_NOT_FOUND and SERVER_NOT_FOUND.
 */
export const awaitServer: Mutation<typeof contract.awaitServer, Awaiting> = {
  audit: { notAudited: 'makes a key that by itself adds no server; adding the server is audited' },
  commit: async (tx, ctx, { body: { id, server_id } }) => {
    panelAddress(ctx);
    const key = makeCode();
    const fresh = { key_hash: hashOfKey(key), expires_at: keyEnds };
    // The agent of the former key may have called already. A new call is expected, so its data no longer counts.
    const anew = {
      ...fresh,
      called_at: null,
      call: null,
      password: null,
      found: null,
      found_at: null,
      confirmed_at: null,
    };
    if (id !== undefined) await findAwaited(tx, id);
    else if (server_id !== undefined) await findServer(tx, server_id);
    const awaited = {
      ...fresh,
      id: newId(),
      account_id: ctx.actor.id,
      server_id: server_id ?? null,
    };
    const saved =
      id === undefined
        ? tx
            .insertInto('awaited_servers')
            .values(awaited)
            .onConflict((same) => same.column('server_id').doUpdateSet(anew))
        : tx.updateTable('awaited_servers').set(anew).where('id', '=', id);
    return { key, row: await saved.returningAll().executeTakeFirstOrThrow() };
  },
  reply: async (ctx, { key, row }) => ({ awaited: toAwaited(row), command: commandOf(ctx, key) }),
};

type Added = { id: string };

/**
 * Adds the server of an awaited agent, before or after the agent's first call. Throws AWAITED_NOT_FOUND, AWAITED_ADDED
 * and INVALID_HOST.
 */
export const addAwaitedServer: Mutation<
  typeof contract.addAwaitedServer,
  Added,
  string | undefined
> = {
  audit: { action: 'server.create', subject: serverSubject, made: ({ id }) => id },
  // The address for customers may be the one from which the agent called.
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
    // Until an agent has called from a confirmed address, the panel only knows the address for customers.
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
