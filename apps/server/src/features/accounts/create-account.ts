import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import { USER_GROUP } from '@linekeeper/contract/permissions.ts';
import { checkMembership, readAncestorIds } from '../../domain/accounts/account-policy.ts';
import { insertAccount } from '../../domain/accounts/accounts.ts';
import { findAccountFor } from '../../domain/accounts/allowed-actions.ts';
import { countInDay, newAccountsLimit } from '../../domain/accounts/daily-limits.ts';
import { accountSubject } from '../../domain/audit/audit-subjects.ts';
import { refuseUnpaid } from '../../domain/credits/balance.ts';
import { notify } from '../../domain/notices/notify.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { hashPassword, isCommonPassword } from '../../platform/keys/passwords.ts';
import { giveCredits } from './move-credits.ts';

interface Created {
  id: string;
  transfer_id: string | null;
}

export const createAccount: Mutation<typeof contract.createAccount, Created, string | null> = {
  audit: {
    action: 'account.create',
    subject: accountSubject,
    made: ({ id }) => id,
    // The transfer is told with the account, not apart from it.
    data: ({ body }, { transfer_id }) => ({
      credits: body.credits,
      ...(transfer_id && { transfer_id }),
    }),
  },
  prepare: async (_ctx, { body }) => {
    if (body.password === undefined) return null;
    if (isCommonPassword(body.password)) failField('password', 'PASSWORD_TOO_COMMON');
    return hashPassword(body.password);
  },
  commit: async (tx, ctx, { body }, password_hash) => {
    const { actor } = ctx;
    const { credits, password: _, group_id = USER_GROUP, ...about } = body;
    await checkMembership(tx, ctx, group_id);
    await refuseUnpaid(tx, actor, credits);
    const owner_id = actor.is_admin ? null : actor.id;
    const row = { ...about, group_id, password_hash, email_verified: true, owner_id };
    const id = (await insertAccount(tx, row)) ?? fail('EMAIL_EXISTS');
    // All above it hear of it, but for the account that has just added it.
    const above = [...(await readAncestorIds(tx, id))].filter((one) => one !== actor.id);
    const notice = { event: 'new_account', facts: { email: body.email } } as const;
    const link = `/accounts/${id}`;
    await notify(
      tx,
      above.map((account_id) => ({ ...notice, account_id, link })),
    );
    // No notice of the first credits: the new account has never had another balance.
    const transfer = credits > 0 ? await giveCredits(tx, actor, id, credits) : null;
    await countInDay(tx, actor, newAccountsLimit, 1);
    return { id, transfer_id: transfer?.id ?? null };
  },
  reply: async ({ db, actor }, { id }) => ({ account: await findAccountFor(db, actor, id) }),
};
