import type * as contract from '@linekeeper/contract/servers/awaited.ts';
import { AGENT_SCRIPT_PATH } from '@linekeeper/contract/servers/awaited.ts';
import { addressWarning } from '@linekeeper/contract/servers/customer-address.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { newId } from '../../../platform/ids.ts';
import { makeCode } from '../../../platform/make-code.ts';
import { findServer } from '../store.ts';
import { type AwaitedRow, findAwaited, hashOfKey, keyEnds, toAwaited } from './store.ts';

/**
 * The panel as the card server reaches it: PUBLIC_URL, or else the address in the administrator's browser. Who
 * changes the script on its way has the card server, so plain http is for one machine only. Throws
 * PANEL_ADDRESS_INSECURE.
 */
function panelAddress({ config, headers }: Pick<Ctx, 'config' | 'headers'>): URL {
  const { public_url } = config;
  const host = headers.get('host') ?? `127.0.0.1:${config.port}`;
  const address = public_url ?? URL.parse(headers.get('origin') ?? '') ?? new URL(`http://${host}`);
  const isSafe = address.protocol === 'https:' || addressWarning(address.hostname) === 'loopback';
  return isSafe ? address : fail('PANEL_ADDRESS_INSECURE');
}

/**
 * One line for any Linux. The key is handed over in the environment, because any user of the machine can read
 * arguments. The script learns the address by itself, unless only the browser knows it.
 */
function commandOf(ctx: Pick<Ctx, 'config' | 'headers'>, key: string): string {
  const { origin } = panelAddress(ctx);
  const script = `${origin}${AGENT_SCRIPT_PATH}`;
  const panel = ctx.config.public_url ? '' : ` PANEL=${origin}`;
  return `(curl -fsSL ${script} || wget -qO- ${script}) | KEY=${key}${panel} sh`;
}

type Awaiting = { key: string; row: AwaitedRow };

export const awaitServer: Mutation<typeof contract.awaitServer, Awaiting> = {
  audit: { notAudited: 'makes a key that by itself adds no server; adding the server is audited' },
  commit: async (tx, ctx, { body: { id, server_id } }) => {
    panelAddress(ctx);
    const key = makeCode();
    const fresh = { key_hash: hashOfKey(key), expires_at: keyEnds };
    // The agent of the key before may have called. It is awaited anew, so what it said no longer counts.
    const nothing = {
      ...{ called_at: null, call: null, password: null },
      ...{ found: null, found_at: null, confirmed_at: null },
    };
    if (id === undefined) {
      if (server_id !== undefined) await findServer(tx, server_id);
      const row = await tx
        .insertInto('awaited_servers')
        .values({ ...fresh, id: newId(), account_id: ctx.actor.id, server_id: server_id ?? null })
        .onConflict((same) => same.column('server_id').doUpdateSet({ ...fresh, ...nothing }))
        .returningAll()
        .executeTakeFirstOrThrow();
      return { key, row };
    }
    await findAwaited(tx, id);
    const row = await tx
      .updateTable('awaited_servers')
      .set({ ...fresh, ...nothing })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { key, row };
  },
  reply: async (ctx, { key, row }) => ({ awaited: toAwaited(row), command: commandOf(ctx, key) }),
};
