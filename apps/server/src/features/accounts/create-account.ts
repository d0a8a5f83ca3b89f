import type * as contract from '@linekeeper/contract/accounts.ts';
import { RESELLER_GROUP, USER_GROUP } from '@linekeeper/contract/permissions.ts';
import { accountScope, type SignedIn } from '../../core/access.ts';
import { findAccount, insertAccount } from '../../core/accounts.ts';
import { audit } from '../../core/audit.ts';
import { hashPassword, isCommonPassword } from '../../core/passwords.ts';
import { fail, failField } from '../../core/refusal.ts';
import type { Mutation } from '../../core/use-case.ts';
import type { Tx } from '../../db/transaction.ts';
import { giveCredits } from './add-credits.ts';

async function checkGroup(tx: Tx, actor: SignedIn, groupId: string): Promise<void> {
  const isOpenToResellers = [RESELLER_GROUP, USER_GROUP].includes(groupId);
  if (!actor.is_admin && !isOpenToResellers) failField('group_id', 'ADMIN_ONLY_FIELD');
  const group = await tx
    .selectFrom('groups')
    .select('id')
    .where('id', '=', groupId)
    .executeTakeFirst();
  if (!group) fail('GROUP_NOT_FOUND');
}

export const createAccount: Mutation<typeof contract.createAccount, { id: string }, string> = {
  prepare: async (_ctx, { body }) => {
    if (isCommonPassword(body.password)) failField('password', 'PASSWORD_TOO_COMMON');
    return hashPassword(body.password);
  },
  commit: async (tx, { actor }, { body }, password_hash) => {
    const { credits, password: _, group_id = USER_GROUP, ...about } = body;
    await checkGroup(tx, actor, group_id);
    const id = await insertAccount(tx, {
      ...about,
      group_id,
      password_hash,
      email_verified: true,
      owner_id: actor.is_admin ? null : actor.id,
    });
    if (!id) return fail('EMAIL_EXISTS');
    await audit(tx, {
      actor_id: actor.id,
      action: 'account.create',
      subject_type: 'account',
      subject_id: id,
      data: { email: body.email, group_id },
    });
    if (credits > 0) await giveCredits(tx, actor, id, credits);
    return { id };
  },
  reply: async ({ db, actor }, { id }) => ({
    account: await findAccount(db, accountScope(actor), id),
  }),
};
