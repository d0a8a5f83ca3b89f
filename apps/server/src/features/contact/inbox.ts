import type * as contract from '@linekeeper/contract/contact.ts';
import type { ContactMessage, ContactStatus } from '@linekeeper/contract/contact.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import type { AuditAction } from '@linekeeper/contract/lists/audit-actions.ts';
import { contactList, contactStatuses } from '@linekeeper/contract/lists/lists.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { queueMails } from '../../domain/notices/outbox.ts';
import type { Action, Mutation } from '../../domain/use-cases/use-case.ts';
import { secondsAgo } from '../../platform/clock.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { likeFolded } from '../../platform/paging/escape-like.ts';
import { anyOf, filtered, type SortColumns } from '../../platform/paging/filtered.ts';
import { readPage } from '../../platform/paging/pages.ts';
import { sentRow } from '../../platform/rows.ts';

const SPAM_KEPT_SECONDS = 30 * 24 * 60 * 60;

const sortColumns: SortColumns<typeof contactList> = {
  created_at: { ref: 'contact_messages.created_at', type: 'timestamptz' },
};

function selectMessages(db: Db) {
  return db
    .selectFrom('contact_messages')
    .leftJoin('auth_users as sender', 'sender.id', 'contact_messages.account_id')
    .leftJoin('auth_users as administrator', 'administrator.id', 'contact_messages.answered_by')
    .select([
      'contact_messages.id',
      'contact_messages.name',
      'contact_messages.email',
      'subject',
      'message',
      'account_id',
      'sender.email as account_email',
      'status',
      'contact_messages.created_at',
      'answer',
      'answered_at',
      'administrator.email as answered_by',
      'answer_is_mailed',
    ]);
}

/** SQL condition: the message or its sender has the text. */
function hasText(text: string) {
  const columns = ['name', 'email', 'subject', 'message'];
  return anyOf(
    columns.map(
      (column) => sql`fold(contact_messages.${sql.ref(column)}) like ${likeFolded(text)}`,
    ),
  );
}

export const listContact: Action<typeof contract.listContact> = async ({ db }, { query }) => {
  const { status = contactStatuses.filter((one) => one !== 'spam') } = query;
  const asked = { ...query, status };
  const matching = filtered(contactList, db.selectFrom('contact_messages'), asked, {
    status: 'contact_messages.status',
    q: hasText,
  });
  const rows = selectMessages(db);
  const page = await readPage(db, query, sortColumns, 'contact_messages.id', matching, rows);
  return { ...page, items: page.items.map(sentRow) };
};

/** The message of the contact form with this ID. Throws CONTACT_NOT_FOUND. */
async function findContact(db: Db, id: string): Promise<ContactMessage> {
  const row = await selectMessages(db).where('contact_messages.id', '=', id).executeTakeFirst();
  return row ? sentRow(row) : fail('CONTACT_NOT_FOUND');
}

/**
 * Stores the reply to a contact message. Throws CONTACT_ANSWERED: there is only one reply, because
 * anyone may have typed the address to which it goes.
 */
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
  body: Parsed<typeof contract.editContact>['body'],
): ContactStatus {
  const isAnswered = answer !== null || body.answer !== undefined;
  if (body.closed === true) return 'closed';
  if (body.closed === false) return isAnswered ? 'answered' : 'open';
  return body.answer !== undefined && status !== 'closed' ? 'answered' : status;
}

export const editContact: Mutation<typeof contract.editContact, { id: string }> = {
  audit: { auditsItself: 'an answer and a closing are two acts, and one call may do both' },
  commit: async (tx, ctx, { params: { id }, body }) => {
    await sql`select from contact_messages where id = ${id} for no key update`.execute(tx);
    const contact = await findContact(tx, id);
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

/** Deletes old messages that were classified as spam. A real sender has written again in the meantime. */
export async function deleteOldSpam(db: Db): Promise<void> {
  await db
    .deleteFrom('contact_messages')
    .where('status', '=', 'spam')
    .where('created_at', '<=', secondsAgo(SPAM_KEPT_SECONDS))
    .execute();
}
