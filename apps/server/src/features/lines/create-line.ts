import type * as contract from '@linekeeper/contract/lines.ts';
import type { NewLine } from '@linekeeper/contract/lines.ts';
import { lineScope } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import { readBalance } from '../../core/balance.ts';
import type { Ctx } from '../../core/context.ts';
import { charge } from '../../core/credits.ts';
import { newId } from '../../core/ids.ts';
import { pushNow, wantOnServer } from '../../core/pushes.ts';
import { fail } from '../../core/refusal.ts';
import { chooseServer, defaultHostPort } from '../../core/servers.ts';
import { readSettings } from '../../core/settings.ts';
import type { Mutation } from '../../core/use-case.ts';
import type { Tx } from '../../db/transaction.ts';
import { chooseOwner } from './owner.ts';
import { termOfNewLine } from './price.ts';
import { countLiveTrials, findLine, insertLine } from './store.ts';

interface Sold {
  line_id: string;
  server_id: string;
  username: string;
  cost: number;
  credits: number;
}

/**
 * The account's row is locked while its trials are counted: two at once cannot both be the last. Not
 * FOR UPDATE: every row that names the account holds its key, so two sales would wait for each other.
 */
async function checkTrialLimit(tx: Tx, ctx: Ctx, limit: number): Promise<void> {
  if (ctx.actor.is_admin) return;
  await tx
    .selectFrom('auth_users')
    .select('id')
    .where('id', '=', ctx.actor.id)
    .forNoKeyUpdate()
    .execute();
  const count = await countLiveTrials(tx, ctx.actor.id, ctx.today());
  if (count > limit) fail('TRIAL_LIMIT_REACHED', { limit });
}

/** What an owner wrote about the line, with the spec's defaults. */
function describe(body: NewLine) {
  const { live_channel, info, user_value, name, company, role, avatar_url, email, notes } = body;
  return {
    live_channel: live_channel || 'Info',
    info: info || 'Info',
    user_value: user_value || null,
    name: name || null,
    company: company || null,
    role: role || null,
    avatar_url: avatar_url || null,
    email: email || null,
    notes: notes || null,
  };
}

export const createLine: Mutation<typeof contract.createLine, Sold> = {
  commit: async (tx, ctx, { body }) => {
    const { actor } = ctx;
    const { username, is_trial } = body;
    const settings = await readSettings(tx);
    const term = termOfNewLine(actor, body, ctx.today(), settings.trial_days);
    const owner_id = await chooseOwner(tx, actor, body.owner_id);
    const server = await chooseServer(tx, body.server_id);
    const id = newId();
    const isNew = await insertLine(tx, {
      ...describe(body),
      id,
      username,
      password: ctx.secrets.seal(body.password, id),
      protocol: body.protocol,
      host_port: body.host_port ?? [defaultHostPort(server)],
      added_date: ctx.today(),
      expiry_date: term.expiry_date,
      status: JSON.stringify(body.status ?? [{ label: 'active', color: 'success' }]),
      owner_id,
      server_id: server.id,
      is_trial,
      subscription_months: body.subscription_months ?? null,
    });
    if (!isNew) fail('USERNAME_EXISTS');
    if (is_trial) await checkTrialLimit(tx, ctx, settings.trial_limit);
    const { cost } = await charge(tx, actor, {
      kind: 'sale',
      cost: term.cost,
      line_id: id,
      username,
    });
    await wantOnServer(tx, {
      server_id: server.id,
      username,
      wanted: { line_id: id, expiry_date: term.expiry_date },
      operation: 'add',
    });
    // An administrator pays nothing, so no transfer tells of this line.
    if (actor.is_admin) {
      await audit(tx, {
        actor_id: actor.id,
        action: 'line.create',
        subject_type: 'line',
        subject_id: id,
        data: { username, owner_id, expiry_date: term.expiry_date },
      });
    }
    const credits = await readBalance(tx, actor.id);
    return { line_id: id, server_id: server.id, username, cost, credits };
  },
  reply: async (ctx, { line_id, server_id, username, cost, credits }) => {
    const sync = await pushNow(ctx, server_id, username);
    return { line: await findLine(ctx.db, lineScope(ctx.actor), line_id), cost, credits, sync };
  },
};
