import type * as contract from '@linekeeper/contract/accounts/two-factor.ts';
import { lockOtherAccount } from '../../domain/accounts/account-policy.ts';
import { findAccount } from '../../domain/accounts/accounts.ts';
import { endOtherAccess } from '../../domain/accounts/sessions.ts';
import {
  isTwoFactorOn,
  readTwoFactor,
  turnTwoFactorOff,
} from '../../domain/accounts/two-factor.ts';
import { accountActedUpon } from '../../domain/audit/audit-subjects.ts';
import { accountScope } from '../../domain/context/access.ts';
import { notify } from '../../domain/notices/notify.ts';
import { queueMails } from '../../domain/notices/outbox.ts';
import type { Action, Mutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';

export const getAccountTwoFactor: Action<typeof contract.getAccountTwoFactor> = async (
  { db, actor },
  { params },
) => {
  const { id } = await findAccount(db, accountScope(actor), params.id);
  const { is_on } = await readTwoFactor(db, id);
  return { is_on };
};

/** Turns off an account's second factor. Its owner gets a mail and a notice, so that a forged request is noticed. */
export const disableAccountTwoFactor: Mutation<
  typeof contract.disableAccountTwoFactor,
  Record<string, never>
> = {
  audit: {
    action: 'account.two_factor_off',
    subject: accountActedUpon,
    of: ({ params }) => params.id,
  },
  commit: async (tx, ctx, { params: { id } }) => {
    await lockOtherAccount(tx, ctx.actor, id);
    if (!(await isTwoFactorOn(tx, id))) fail('TWO_FACTOR_IS_OFF');
    await turnTwoFactorOff(tx, id);
    await endOtherAccess(tx, id, null);
    await notify(tx, [
      { event: 'two_factor_removed', facts: {}, account_id: id, link: '/profile/edit' },
    ]);
    await queueMails(tx, ctx, [{ kind: 'two_factor_removed', account_id: id, language: 'en' }]);
    return {};
  },
  reply: async () => ({ success: true }),
};
