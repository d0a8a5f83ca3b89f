import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import {
  ADMIN_ATTACHMENT_QUOTA_BYTES,
  ATTACHMENT_QUOTA_BYTES,
  type Attachment,
  type AttachmentType,
  getAttachment,
  UNATTACHED_KEPT_HOURS,
} from '@linekeeper/contract/tickets/attachments.ts';
import { sql } from 'kysely';
import type { Connection } from '../../../db/connect.ts';
import { reuseSpace } from '../../../db/reuse-space.ts';
import { type Db, type Tx, transact } from '../../../db/transaction.ts';
import { countInDay, uploadedLimit } from '../../../domain/accounts/daily-limits.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import { secondsAgo } from '../../../platform/clock.ts';
import { fail, failFields } from '../../../platform/errors/refusal.ts';
import { newId } from '../../../platform/ids.ts';

/** The type and properties of a file, recognised by its content. */
export interface FileFacts {
  type: AttachmentType;
  /** In pixels, as an image says it; null if it is no image. */
  size: { width: number; height: number } | null;
}

/** As the table of chunks has it. */
export const CHUNK_BYTES = 256 * 1024;
const MEGABYTE = 1024 * 1024;
const HOUR = 3600;
/** Together at most as much as an account may have. */
const DELETED_AT_ONCE = 10;
/** Dead rows; each holds a part of a file. Each vacuum also looks at what was added since the last one. */
const WORTH_A_VACUUM = 200;
/** No upload takes that long: its panel has ended. */
const ABANDONED_SECONDS = HOUR;

/**
 * Takes room for a file that begins to arrive. Uploads of one account wait for each other here, so
 * that together they cannot pass its quota. Throws ATTACHMENT_QUOTA_USED and
 * DAILY_LIMIT_REACHED.
 */
export function reserve(db: Db, actor: SignedIn, name: string, size: number): Promise<string> {
  return transact(db, async (tx) => {
    await sql`select from auth_users where id = ${actor.id} for no key update`.execute(tx);
    const { used } = await tx
      .selectFrom('attachments')
      .select(sql<number>`coalesce(sum(size), 0)::bigint`.as('used'))
      .where('account_id', '=', actor.id)
      .executeTakeFirstOrThrow();
    const quota = actor.is_admin ? ADMIN_ATTACHMENT_QUOTA_BYTES : ATTACHMENT_QUOTA_BYTES;
    if (used + size > quota) {
      const used_mb = Math.ceil(used / MEGABYTE);
      fail('ATTACHMENT_QUOTA_USED', { maximum_mb: quota / MEGABYTE, used_mb });
    }
    const id = newId();
    await tx.insertInto('attachments').values({ id, account_id: actor.id, name, size }).execute();
    await countInDay(tx, actor, uploadedLimit, Math.ceil(size / MEGABYTE));
    return id;
  });
}

export async function addChunk(
  db: Db,
  attachment_id: string,
  position: number,
  bytes: Buffer,
): Promise<void> {
  await db.insertInto('attachment_chunks').values({ attachment_id, position, bytes }).execute();
}

/** Throws UPLOAD_BROKEN if it was deleted while it arrived. */
export async function finishUpload(
  db: Db,
  id: string,
  name: string,
  bytes: number,
  { type, size }: FileFacts,
): Promise<Attachment> {
  const row = await db
    .updateTable('attachments')
    .set({
      name,
      type,
      size: bytes,
      width: size?.width ?? null,
      height: size?.height ?? null,
      is_whole: true,
    })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
  return row ? toAttachment(row) : fail('UPLOAD_BROKEN');
}

export async function removeUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom('attachments').where('id', '=', id).execute();
}

const columns = ['id', 'name', 'type', 'size', 'width', 'height'] as const;

type Row = Omit<Attachment, 'type' | 'url'> & { type: AttachmentType | null };

function toAttachment({ id, name, type, size, width, height }: Row): Attachment {
  const url = getAttachment.path.replace('{id}', id);
  return { id, name, type: type ?? 'text/plain', size, url, width, height };
}

/** An upload is its account's until it is attached; then it is for those who see the ticket. */
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

/** One query a chunk, so that no more of a file is in memory, however slowly it is downloaded. */
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

/** Where files are attached: a ticket's description, or a reply or note of it. */
export interface AttachedTo {
  ticket_id: string;
  reply_id?: string;
  note_id?: string;
}

function failIds(code: ErrorCode): never {
  const problem = { code: 'VALIDATION_FAILED', data: {} } as const;
  failFields(problem, new Map([['attachment_ids', { code, data: {} }]]));
}

/**
 * Attaches uploads of the actor, in the order given, and returns their names. Throws on
 * `attachment_ids` for what is missing, of others, still arriving or attached already.
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

/** The files of a ticket's description. */
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

/** By line. Notes are named by administrators' pages only, so that no query for an owner finds theirs. */
export async function filesOfLines(
  db: Db,
  lines: { replies: readonly string[]; notes: readonly string[] },
): Promise<Map<string, Attachment[]>> {
  const read = async (column: 'reply_id' | 'note_id', ids: readonly string[]) => {
    if (ids.length === 0) return [];
    return db
      .selectFrom('attachments')
      .select([...columns, `${column} as line_id` as const])
      .where(column, 'in', [...ids])
      .orderBy('position')
      .execute();
  };
  const rows = [
    ...(await read('reply_id', lines.replies)),
    ...(await read('note_id', lines.notes)),
  ];
  const byLine = Map.groupBy(rows, ({ line_id }) => line_id ?? '');
  return new Map([...byLine].map(([id, files]) => [id, files.map(toAttachment)]));
}

/** Deletes an own upload that is not attached. Throws ATTACHMENT_NOT_FOUND or ATTACHMENT_IN_USE. */
export async function deleteOwnUpload(tx: Tx, actor: SignedIn, id: string): Promise<void> {
  const found = await tx
    .selectFrom('attachments')
    .select('ticket_id')
    .where('id', '=', id)
    .where('account_id', '=', actor.id)
    .where('is_whole', '=', true)
    .forUpdate()
    .executeTakeFirst();
  if (!found) return fail('ATTACHMENT_NOT_FOUND');
  if (found.ticket_id !== null) fail('ATTACHMENT_IN_USE');
  await removeUpload(tx, id);
}

/** Deletes files that are unattached after a day, and uploads that the end of their panel cut off. */
export async function deleteUnattached(db: Db): Promise<void> {
  const isOver = sql`ticket_id is null and (created_at <= ${secondsAgo(UNATTACHED_KEPT_HOURS * HOUR)}
    or (not is_whole and created_at <= ${secondsAgo(ABANDONED_SECONDS)}))`;
  for (;;) {
    // A few at a time: on the embedded database everybody waits meanwhile.
    const { numAffectedRows = 0n } = await sql`delete from attachments where ${isOver}
      and id in (select id from attachments where ${isOver} limit ${DELETED_AT_ONCE})`.execute(db);
    if (numAffectedRows < DELETED_AT_ONCE) return;
  }
}

/** Lets the embedded database use the room of deleted attachments again. */
export async function reuseFreedSpace(connection: Connection): Promise<void> {
  const tables = ['attachments', 'attachment_chunks'];
  await reuseSpace(connection, tables, WORTH_A_VACUUM);
}
