import type * as contract from '@linekeeper/contract/contact.ts';
import type { ContactMessage, ContactStatus } from '@linekeeper/contract/contact.ts';
import type { AuditAction } from '@linekeeper/contract/lists/audit-actions.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { queueMails } from '../../domain/notices/outbox.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { findContact } from './store.ts';

async function lockedContact(tx: Tx, id: string): Promise<ContactMessage> {
  await sql`select from contact_messages where id = ${id} for no key update`.execute(tx);
  return findContact(tx, id);
}

/** Once: each answer is a mail to an address that anybody can have typed. */
async function writeAnswer(tx: Tx, ctx: Ctx, contact: ContactMessage, answer: string) {
  if (contact.answer !== null) fail('CONTACT_ANSWERED');
  await tx
    .updateTable('contact_messages')
    .set({ answer, answered_at: sql<Date>`now()`, answered_by: ctx.actor.id })
    .where('id', '=', contact.id)
    .execute();
  const mail = { kind: 'contact_answer', account_id: null, language: 'en' } as const;
  await queueMails(tx, ctx, [{ ...mail, contact_id: contact.id }]);
}

function statusAfter(
  { status, answer }: ContactMessage,
  body: Parameters<typeof editContact.commit>[2]['body'],
): ContactStatus {
  const isAnswered = answer !== null || body.answer !== undefined;
  if (body.closed === true) return 'closed';
  if (body.closed === false) return isAnswered ? 'answered' : 'open';
  return body.answer !== undefined && status !== 'closed' ? 'answered' : status;
}

export const editContact: Mutation<typeof contract.editContact, { id: string }> = {
  audit: { auditsItself: 'an answer and a closing are two acts, and one call may do both' },
  commit: async (tx, ctx, { params: { id }, body }) => {
    const contact = await lockedContact(tx, id);
    const actions: AuditAction[] = [];
    if (body.answer !== undefined) {
      await writeAnswer(tx, ctx, contact, body.answer);
      actions.push('contact.answer');
    }
    const status = statusAfter(contact, body);
    if (status !== contact.status) {
      await tx.updateTable('contact_messages').set({ status }).where('id', '=', id).execute();
      if (body.closed !== undefined) {
        actions.push(body.closed ? 'contact.close' : 'contact.reopen');
      }
    }
    const act = {
      subject_type: 'contact',
      subject_id: id,
      data: { email: contact.email },
    } as const;
    const entries = actions.map((action) => ({ action, ...act }));
    await writeAudit(tx, auditOriginOf(ctx), entries);
    return { id };
  },
  reply: async ({ db }, { id }) => ({ contact: await findContact(db, id) }),
};
