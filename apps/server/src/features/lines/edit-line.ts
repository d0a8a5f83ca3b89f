import type * as contract from '@linekeeper/contract/line-changes.ts';
import type { LineChanges } from '@linekeeper/contract/line-changes.ts';
import { lineScope } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import { readBalance } from '../../core/balance.ts';
import type { Ctx } from '../../core/context.ts';
import { charge } from '../../core/credits.ts';
import type { Mutation } from '../../core/use-case.ts';
import type { Tx } from '../../db/transaction.ts';
import { answerChange, type Changed } from './answer-change.ts';
import { extension } from './extend-line.ts';
import { type LineUpdate, type LockedLine, lockLine, updateLine } from './locked-line.ts';
import { placeLine } from './place-line.ts';
import { findLine } from './store.ts';
import { wantChanged } from './want-changed.ts';

/** What was written about a line; an emptied text is none, and the two that cannot be none say Info. */
export function describedBy(changes: LineChanges): LineUpdate {
  const { live_channel, info, status, host_port, protocol } = changes;
  const texts = ['user_value', 'name', 'company', 'role', 'avatar_url', 'email', 'notes'] as const;
  const emptied = texts.flatMap((field) =>
    changes[field] === undefined ? [] : [[field, changes[field] || null]],
  );
  return {
    ...Object.fromEntries(emptied),
    ...(live_channel === undefined ? {} : { live_channel: live_channel || 'Info' }),
    ...(info === undefined ? {} : { info: info || 'Info' }),
    ...(status === undefined ? {} : { status }),
    ...(host_port === undefined ? {} : { host_port }),
    ...(protocol === undefined ? {} : { protocol }),
  };
}

/** The sealed new password; undefined where the old one stays. */
function newPassword({ secrets }: Ctx, line: LockedLine, password: string | undefined) {
  if (password === undefined || secrets.open(line.password, line.id) === password) return undefined;
  return secrets.seal(password, line.id);
}

/** A date that stays is no purchase. */
function newTerm(ctx: Ctx, line: LockedLine, expiry_date: string | undefined) {
  if (expiry_date === undefined || expiry_date === line.expiry_date) return undefined;
  return extension(ctx, line, { expiry_date });
}

async function changeLine(tx: Tx, ctx: Ctx, line: LockedLine, changes: LineChanges) {
  const term = newTerm(ctx, line, changes.expiry_date);
  const password = newPassword(ctx, line, changes.password);
  const username = changes.username ?? line.username;
  const { owner_id, server_id, host_port } = await placeLine(tx, ctx.actor, line, changes);
  await updateLine(tx, line.id, {
    owner_id,
    server_id,
    host_port,
    username,
    ...(password === undefined ? {} : { password }),
    ...term?.changes,
    // Last: a status that was named is meant, whatever more time would make of the old one.
    ...describedBy(changes),
  });
  const { cost } = await charge(tx, ctx.actor, {
    kind: 'renewal',
    cost: term?.cost ?? 0,
    line_id: line.id,
    username,
  });
  const expiry_date = term?.expiry_date ?? line.expiry_date;
  const pushes = await wantChanged(tx, line, {
    server_id,
    username,
    expiry_date,
    isChanged: password !== undefined || expiry_date !== line.expiry_date,
  });
  return { cost, pushes };
}

export const editLine: Mutation<typeof contract.editLine, Changed> = {
  commit: async (tx, ctx, { params, body }) => {
    const { actor } = ctx;
    const line = await lockLine(tx, lineScope(actor), params.id);
    const fields = Object.keys(body);
    const { cost, pushes } =
      fields.length > 0 ? await changeLine(tx, ctx, line, body) : { cost: 0, pushes: [] };
    await audit(tx, {
      actor_id: actor.id,
      action: 'line.edit',
      subject_type: 'line',
      subject_id: line.id,
      data: { username: line.username, fields },
    });
    return {
      line: await findLine(tx, lineScope(actor), line.id),
      cost,
      credits: await readBalance(tx, actor.id),
      pushes,
    };
  },
  reply: answerChange,
};
