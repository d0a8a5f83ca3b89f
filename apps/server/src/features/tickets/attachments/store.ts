import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import {
  type Attachment,
  type AttachmentType,
  getAttachment,
  UNATTACHED_KEPT_HOURS,
} from '@linekeeper/contract/tickets/attachments.ts';
import { sql } from 'kysely';
import type { Connection } from '../../../db/connect.ts';
import { reuseSpace } from '../../../db/reuse-space.ts';
import type { Db, Tx } from '../../../db/transaction.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import { secondsAgo } from '../../../platform/clock.ts';
import { fail, failFields } from '../../../platform/errors/refusal.ts';

const HOUR = 3600;
/** Files deleted in one transaction; together at most as much as an account may have. */
const DELETED_AT_ONCE = 10;
/** Number of dead rows from which a vacuum is worth its time. Each holds a part of a file. */
const WORTH_A_VACUUM = 200;
/** Seconds after which an unfinished upload is abandoned: no upload takes that long, so its panel must have ended. */
const ABANDONED_SECONDS = HOUR;

export const columns = ['id', 'name', 'type', 'size', 'width', 'height'] as const;

type Row = Omit<Attachment, 'type' | 'url'> & { type: AttachmentType | null };

export function toAttachment({ id, name, type, size, width, height }: Row): Attachment {
  const url = getAttachment.path.replace('{id}', id);
  return { id, name, type: type ?? 'text/plain', size, url, width, height };
}

/**
 * An attachment that the account may download: its own upload until it is attached, then any of a ticket that it sees.
 * Throws ATTACHMENT_NOT_FOUND.
 */
export async function findAttachment(db: Db, actor: SignedIn, id: string): Promise<Attachment> {
  const row = await db
    .selectFrom('attachments')
    .leftJoin('tickets', 'tickets.id', 'attachments.ticket_id')
    .select(columns.map((column) => `attachments.${column}` as const))
    .where('attachments.id', '=', id)
    .where('is_whole', '=', true)
    .where((where) =>
      where.or([
        where.and([
          where('attachments.ticket_id', 'is', null),
          where('attachments.account_id', '=', actor.id),
        ]),
        actor.is_admin
          ? where('attachments.ticket_id', 'is not', null)
          : where.and([
              where('tickets.user_id', '=', actor.id),
              where('attachments.note_id', 'is', null),
            ]),
      ]),
    )
    .executeTakeFirst();
  return row ? toAttachment(row) : fail('ATTACHMENT_NOT_FOUND');
}

/** Reads a file with one query for each chunk, so that memory holds one chunk only, even for slow downloads. */
export async function* readChunks(db: Db, id: string): AsyncGenerator<Buffer> {
  for (let position = 0; ; position++) {
    const chunk = await db
      .selectFrom('attachment_chunks')
      .select('bytes')
      .where('attachment_id', '=', id)
      .where('position', '=', position)
      .executeTakeFirst();
    if (!chunk) return;
    yield chunk.bytes;
  }
}

/** The place of attached files: a ticket's description, or a reply or note of the ticket. */
interface AttachedTo {
  ticket_id: string;
  reply_id?: string;
  note_id?: string;
}

/** Throws VALIDATION_FAILED, with this code for the field of the ids. */
function failIds(code: ErrorCode): never {
  const problem = { code: 'VALIDATION_FAILED', data: {} } as const;
  failFields(problem, new Map([['attachment_ids', { code, data: {} }]]));
}

/**
 * Attaches uploads of the actor, in the given order, and returns their names. Throws at
 * `attachment_ids` if files are missing, belong to others, are incomplete or already attached.
 */
export async function attach(
  tx: Tx,
  actor: SignedIn,
  ids: readonly string[],
  target: AttachedTo,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = await tx
    .selectFrom('attachments')
    .select(['id', 'name', 'ticket_id'])
    .where('id', 'in', [...ids])
    .where('account_id', '=', actor.id)
    .where('is_whole', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (found.length < new Set(ids).size) failIds('ATTACHMENT_NOT_FOUND');
  const isUsed = found.some(({ ticket_id }) => ticket_id !== null);
  if (isUsed || found.length < ids.length) failIds('ATTACHMENT_IN_USE');
  for (const [position, id] of ids.entries()) {
    await tx
      .updateTable('attachments')
      .set({ ...target, position })
      .where('id', '=', id)
      .execute();
  }
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return ids.map((id) => names.get(id) ?? '');
}

/**
 * The files that were attached to a ticket when it was created, in their order. `filesOfPosts` has
 * those of its replies and notes.
 */
export async function filesOfTicket(db: Db, ticketId: string): Promise<Attachment[]> {
  const rows = await db
    .selectFrom('attachments')
    .select(columns)
    .where('ticket_id', '=', ticketId)
    .where('reply_id', 'is', null)
    .where('note_id', 'is', null)
    .orderBy('position')
    .execute();
  return rows.map(toAttachment);
}

/**
 * The attachments of replies and notes, by the id of the post. The page of a ticket's owner passes no ids of notes, so
 * it gets none of their files.
 */
export async function filesOfPosts(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Attachment[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('attachments')
    .select(columns)
    .select(sql<string>`coalesce(reply_id, note_id)`.as('post_id'))
    .where((where) => where.or([where('reply_id', 'in', ids), where('note_id', 'in', ids)]))
    .orderBy('position')
    .execute();
  const byPost = Map.groupBy(rows, ({ post_id }) => post_id);
  return new Map([...byPost].map(([id, files]) => [id, files.map(toAttachment)]));
}

/** Deletes files that were not attached within a day, and unfinished uploads whose panel has ended. */
export async function deleteUnattached(db: Db): Promise<void> {
  const isOver = sql`ticket_id is null and (created_at <= ${secondsAgo(UNATTACHED_KEPT_HOURS * HOUR)}
    or (not is_whole and created_at <= ${secondsAgo(ABANDONED_SECONDS)}))`;
  for (;;) {
    // A few files are deleted at a time, because on the embedded database all requests wait for the statement.
    const { numAffectedRows = 0n } = await sql`delete from attachments where ${isOver}
      and id in (select id from attachments where ${isOver} limit ${DELETED_AT_ONCE})`.execute(db);
    if (numAffectedRows < DELETED_AT_ONCE) return;
  }
}

/** Lets the embedded database reuse the space of deleted attachments. */
export async function reuseFreedSpace(connection: Connection): Promise<void> {
  const tables = ['attachments', 'attachment_chunks'];
  await reuseSpace(connection, tables, WORTH_A_VACUUM);
}
