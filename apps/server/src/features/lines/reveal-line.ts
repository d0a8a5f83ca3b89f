import type * as contract from '@linekeeper/contract/lines.ts';
import { lineScope } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import type { Action } from '../../core/use-case.ts';
import { findSealedPassword } from './store.ts';

export const revealLine: Action<typeof contract.revealLine> = async (ctx, { params: { id } }) => {
  const sealed = await findSealedPassword(ctx.db, lineScope(ctx.actor), id);
  await audit(ctx.db, {
    actor_id: ctx.actor.id,
    action: 'line.reveal',
    subject_type: 'line',
    subject_id: id,
  });
  return { password: ctx.secrets.open(sealed, id) };
};
