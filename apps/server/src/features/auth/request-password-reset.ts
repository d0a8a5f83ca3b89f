import type * as contract from '@linekeeper/contract/auth/auth.ts';
import { transact } from '../../db/transaction.ts';
import { auditOriginOf } from '../../domain/audit/audit.ts';
import { queueMails } from '../../domain/notices/outbox.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { negotiateLanguage } from '../../platform/mail/negotiate-language.ts';
import { enforceLimit, resetRequestLimit } from '../../platform/rate-limit.ts';

/**
 * Queues a link to set a new password. Reply and work are the same for every address: for one that no
 * account has, a mail is queued to an account that does not exist, and dropped when it is to be sent.
 */
export const requestPasswordReset: Action<typeof contract.requestPasswordReset> = async (
  ctx,
  { body },
) => {
  if (!ctx.mail.isConfigured) fail('NO_MAIL_SERVER');
  await enforceLimit(ctx.db, resetRequestLimit, ctx.network);
  const language = negotiateLanguage(ctx.headers.get('accept-language'));
  await transact(ctx.db, async (tx) => {
    const account = await tx
      .selectFrom('auth_users')
      .select('id')
      .where('email', '=', body.email)
      .executeTakeFirst();
    await queueMails(tx, ctx, [
      {
        kind: 'reset_password',
        account_id: account?.id ?? newId(),
        language,
        origin: auditOriginOf(ctx),
      },
    ]);
  });
  return { success: true };
};
