import type * as contract from '@linekeeper/contract/accounts/two-factor-of-others.ts';
import { accountScope } from '../../core/access.ts';
import { findAccount } from '../../core/accounts/accounts.ts';
import { lockOtherAccount } from '../../core/accounts/powers.ts';
import { endOtherAccess } from '../../core/accounts/sessions.ts';
import { isTwoFactorOn, readTwoFactor, turnTwoFactorOff } from '../../core/accounts/two-factor.ts';
import { accountActedUpon } from '../../core/audit/audit-subjects.ts';
import { mailQueue, queueMail } from '../../core/mail/mail-queue.ts';
import { notify } from '../../core/mail/notify.ts';
import { fail } from '../../core/refusal.ts';
import type { Action, Mutation } from '../../core/use-case.ts';

export const getAccountTwoFactor: Action<typeof contract.getAccountTwoFactor> = async (
  { db, actor },
  { params },
) => {
  const { id } = await findAccount(db, accountScope(actor), params.id);
  const { is_on } = await readTwoFactor(db, id);
  return { is_on };
};

/** Its owner is told by mail and on the panel: whoever reads either knows who may have asked for it. */
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
    await queueMail(tx, ctx, { kind: 'two_factor_removed', account_id: id, language: 'en' });
    return {};
  },
  reply: async ({ jobQueue }) => {
    jobQueue.wake(mailQueue);
    return { success: true };
  },
};
