import type { Language } from '@linekeeper/contract/languages.ts';
import { type Tx, transact } from '../../db/transaction.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { queueMails } from '../../domain/notices/outbox.ts';
import { negotiateLanguage } from '../../platform/mail/negotiate-language.ts';

/** Queues a confirmation link if the email belongs to an unconfirmed account. */
export async function queueConfirmation(tx: Tx, ctx: Ctx, email: string): Promise<void> {
  if (!ctx.mail.isConfigured) return;
  const account = await tx
    .selectFrom('auth_users')
    .select('id')
    .where('email', '=', email.toLowerCase())
    .where('email_verified', '=', false)
    .where('banned', '=', false)
    .executeTakeFirst();
  if (!account) return;
  await queueMails(tx, ctx, [
    { kind: 'confirm_email', account_id: account.id, language: languageOf(ctx) },
  ]);
}

export async function sendConfirmation(ctx: Ctx, email: string): Promise<void> {
  await transact(ctx.db, (tx) => queueConfirmation(tx, ctx, email));
}

/** The language of the visitor's browser, for accounts that chose none. */
export const languageOf = ({ headers }: Ctx): Language =>
  negotiateLanguage(headers.get('accept-language'));
