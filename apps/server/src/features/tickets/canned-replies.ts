import type * as contract from '@linekeeper/contract/tickets/canned-replies.ts';
import {
  type CannedReply,
  MAX_CANNED_REPLIES,
} from '@linekeeper/contract/tickets/canned-replies.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { cannedReplySubject } from '../../domain/audit/audit-subjects.ts';
import type { Action, Mutation, PlainMutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { deleteRow, lockName, refuseFull, sentRow } from '../../platform/rows.ts';

function selectCannedReplies(db: Db) {
  return db
    .selectFrom('canned_replies')
    .select(['id', 'title', 'content', 'created_at', 'updated_at']);
}
export const listCannedReplies: Action<typeof contract.listCannedReplies> = async ({ db }) => {
  const rows = await selectCannedReplies(db).orderBy('title_key').orderBy('id').execute();
  return { items: rows.map(sentRow) };
};

/** The canned reply with this ID. Throws CANNED_REPLY_NOT_FOUND. */
async function findCannedReply(db: Db, id: string): Promise<CannedReply> {
  const row = await selectCannedReplies(db).where('id', '=', id).executeTakeFirst();
  return row ? sentRow(row) : fail('CANNED_REPLY_NOT_FOUND');
}

/**
 * Throws CANNED_REPLY_EXISTS if another reply has the title. Locks the table, so that two
 * concurrent writers do not see the same titles and number.
 */
async function refuseTaken(tx: Tx, title: string, own: string | null): Promise<void> {
  await lockName(tx, 'canned_replies');
  const taken = await tx
    .selectFrom('canned_replies')
    .select('id')
    .where(sql<SqlBool>`title_key = fold(${title})`)
    .where('id', 'is distinct from', own)
    .executeTakeFirst();
  if (taken) fail('CANNED_REPLY_EXISTS');
}

export const createCannedReply: Mutation<typeof contract.createCannedReply, { id: string }> = {
  audit: { action: 'cannedreply.create', subject: cannedReplySubject, made: ({ id }) => id },
  commit: async (tx, { actor }, { body }) => {
    await refuseTaken(tx, body.title, null);
    await refuseFull(tx, 'canned_replies', MAX_CANNED_REPLIES, 'TOO_MANY_CANNED_REPLIES');
    const id = newId();
    await tx
      .insertInto('canned_replies')
      .values({ ...body, id, created_by: actor.id })
      .execute();
    return { id };
  },
  reply: async ({ db }, { id }) => ({ canned_reply: await findCannedReply(db, id) }),
};

export const editCannedReply: Mutation<typeof contract.editCannedReply, { id: string }> = {
  audit: { action: 'cannedreply.edit', subject: cannedReplySubject },
  commit: async (tx, _, { params: { id }, body }) => {
    await findCannedReply(tx, id);
    if (body.title !== undefined) await refuseTaken(tx, body.title, id);
    await tx
      .updateTable('canned_replies')
      .set({ ...body, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute();
    return { id };
  },
  reply: async ({ db }, { id }) => ({ canned_reply: await findCannedReply(db, id) }),
};

export const deleteCannedReply: PlainMutation<typeof contract.deleteCannedReply> = {
  audit: { action: 'cannedreply.delete', subject: cannedReplySubject },
  commit: (tx, _, { params }) =>
    deleteRow(tx, 'canned_replies', params.id, 'CANNED_REPLY_NOT_FOUND'),
};
