import type * as contract from '@linekeeper/contract/lines.ts';
import { lineScope } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import { readBalance } from '../../core/balance.ts';
import { charge } from '../../core/credits.ts';
import { newId } from '../../core/ids.ts';
import { pushNow, wantOnServer } from '../../core/pushes.ts';
import { fail } from '../../core/refusal.ts';
import { chooseServer } from '../../core/servers.ts';
import { readSettings } from '../../core/settings.ts';
import type { Mutation } from '../../core/use-case.ts';
import { checkTrialLimit, rowOfNewLine } from './new-line-row.ts';
import { chooseOwner } from './owner.ts';
import { termOfNewLine } from './price.ts';
import { findLine, insertLine } from './store.ts';

interface Sold {
  line_id: string;
  server_id: string;
  username: string;
  cost: number;
  credits: number;
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
      ...rowOfNewLine(body, server),
      id,
      password: ctx.secrets.seal(body.password, id),
      added_date: ctx.today(),
      expiry_date: term.expiry_date,
      owner_id,
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
