import type * as contract from '@linekeeper/contract/auth.ts';
import { hashPassword, isCommonPassword, verifyPassword } from '../../core/passwords.ts';
import { countAttempt, forgive, signInLimit } from '../../core/rate-limit.ts';
import { failField } from '../../core/refusal.ts';
import { endOtherSessions } from '../../core/sessions.ts';
import type { Action } from '../../core/use-case.ts';

export const changePassword: Action<typeof contract.changePassword> = async (ctx, { body }) => {
  const { id } = ctx.actor;
  if (isCommonPassword(body.new_password)) failField('new_password', 'PASSWORD_TOO_COMMON');
  await countAttempt(ctx.db, signInLimit, id);
  const credential = await ctx.db
    .selectFrom('auth_credentials')
    .select(['id', 'password'])
    .where('user_id', '=', id)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  const isRight =
    credential?.password && (await verifyPassword(credential.password, body.current_password));
  if (!credential || !isRight) failField('current_password', 'WRONG_CURRENT_PASSWORD');
  await forgive(ctx.db, signInLimit, id);
  await ctx.db
    .updateTable('auth_credentials')
    .set({ password: await hashPassword(body.new_password), updated_at: new Date() })
    .where('id', '=', credential.id)
    .execute();
  await endOtherSessions(ctx.db, id, ctx.session_id ?? '');
  return { success: true, message: 'Password successfully changed' };
};
