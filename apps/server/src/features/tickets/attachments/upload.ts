import type { ArrivingFile } from '@linekeeper/contract/endpoint.ts';
import type * as contract from '@linekeeper/contract/tickets/attachments.ts';
import {
  ADMIN_ATTACHMENT_QUOTA_BYTES,
  ATTACHMENT_QUOTA_BYTES,
  type Attachment,
  type AttachmentType,
  fileEndings,
  MAX_FILE_NAME,
} from '@linekeeper/contract/tickets/attachments.ts';
import { GIF } from 'image-size/types/gif';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import { sql } from 'kysely';
import { type Db, transact } from '../../../db/transaction.ts';
import { countInDay, uploadedLimit } from '../../../domain/accounts/daily-limits.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import type { Action, PlainMutation } from '../../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../../platform/errors/refusal.ts';
import { newId } from '../../../platform/ids.ts';
import { enforceLimit, uploadsLimit } from '../../../platform/rate-limit.ts';
import { columns, toAttachment } from './store.ts';

/** Bytes in a chunk, as in the table of chunks. */
const CHUNK_BYTES = 256 * 1024;
const MEGABYTE = 1024 * 1024;
/** The type and properties of a file, recognised by its content. */
interface FileFacts {
  type: AttachmentType;
  /** Width and height in pixels, from the image's own data; null for other files. */
  size: { width: number; height: number } | null;
}

/** Control characters other than tabs, line ends and page breaks, because terminals act on some of them. */
const CONTROLS = /[^\P{Cc}\t\n\f\r]/u;
const MARKUP = /^<[a-z!?/]/i;
const PDF = /^%PDF-[12]\.\d/;

/** Readers of the four picture formats, because the package's own list also has formats that cannot be attached. */
const pictures = { 'image/png': PNG, 'image/jpeg': JPG, 'image/gif': GIF, 'image/webp': WEBP };

/** Separators of folders, control characters, and characters that write a name backwards. */
const UNSAFE = /[/\\\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** The name without spaces around it. Throws FILE_NAME_REFUSED. */
function soundName(given: string): string {
  const name = given.trim().normalize('NFC');
  const isSound = !UNSAFE.test(given) && !/^\.*$/.test(name) && name.length <= MAX_FILE_NAME;
  return isSound ? name : failField('file', 'FILE_NAME_REFUSED', { maximum: MAX_FILE_NAME });
}

/** The name with the extension of its type, so that no computer opens the file as another type. */
function nameFor(type: AttachmentType, name: string): string {
  const endings = fileEndings[type];
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (endings.includes(ending)) return name;
  const added = `.${endings[0]}`;
  return name.slice(0, MAX_FILE_NAME - added.length).replace(/\p{Surrogate}$/u, '') + added;
}

/** Yields parts of exactly one size, except the last one. */
async function* inChunks(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const part of parts) {
    let rest = part;
    while (length + rest.length >= CHUNK_BYTES) {
      const end = CHUNK_BYTES - length;
      yield Buffer.concat([...held, rest.subarray(0, end)]);
      rest = rest.subarray(end);
      [held, length] = [[], 0];
    }
    if (rest.length > 0) held.push(rest);
    length += rest.length;
  }
  if (length > 0) yield Buffer.concat(held);
}

/**
 * Reserves space for a file before it arrives. Uploads of one account wait for each other here, so
 * that together they cannot exceed its quota. Throws ATTACHMENT_QUOTA_USED and DAILY_LIMIT_REACHED.
 */
function reserve(db: Db, actor: SignedIn, name: string, size: number): Promise<string> {
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

async function removeUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom('attachments').where('id', '=', id).execute();
}

/**
 * Recognises a file by its first chunk. Throws FILE_DAMAGED for an image whose size cannot be read from it. The rest of
 * the file is not examined, because it is only served as a download.
 */
function recognise(chunk: Buffer): FileFacts {
  // The bytes are copied, because the library would read beyond the end of a buffer that is part of a larger one.
  const head = new Uint8Array(chunk);
  try {
    for (const [type, { validate, calculate }] of Object.entries(pictures)) {
      if (!validate(head)) continue;
      const { width, height } = calculate(head);
      if (width > 0 && height > 0) return { type: type as AttachmentType, size: { width, height } };
      return failField('file', 'FILE_DAMAGED');
    }
  } catch {
    // The library throws for an image that ends too early or is malformed.
    return failField('file', 'FILE_DAMAGED');
  }
  const isPdf = PDF.test(chunk.toString('latin1', 0, 16));
  return { type: isPdf ? 'application/pdf' : 'text/plain', size: null };
}

/**
 * Returns a function that checks the next part of a text, and, called without one, its end. The text must be plain
 * UTF-8 that does not begin as HTML, SVG or XML. It throws FILE_TYPE_REFUSED and FILE_IS_MARKUP.
 */
function textCheck(): (chunk?: Buffer) => void {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let beginning = '';
  return (chunk) => {
    let text = '';
    try {
      text = decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      failField('file', 'FILE_TYPE_REFUSED');
    }
    if (CONTROLS.test(text)) failField('file', 'FILE_TYPE_REFUSED');
    if (beginning.length >= 2) return;
    beginning = (beginning + text).trimStart().slice(0, 2);
    if (MARKUP.test(beginning)) failField('file', 'FILE_IS_MARKUP');
  };
}

/** Stores a file. Throws FILE_EMPTY, the errors of `recognise` and `textCheck`, and UPLOAD_BROKEN. */
async function store(db: Db, id: string, name: string, file: ArrivingFile): Promise<Attachment> {
  let facts: FileFacts | null = null;
  let bytes = 0;
  let position = 0;
  const checkText = textCheck();
  for await (const chunk of inChunks(file.parts)) {
    facts ??= recognise(chunk);
    if (facts.type === 'text/plain') checkText(chunk);
    const values = { attachment_id: id, position: position++, bytes: chunk };
    await db.insertInto('attachment_chunks').values(values).execute();
    bytes += chunk.length;
  }
  if (!facts) return failField('file', 'FILE_EMPTY');
  if (facts.type === 'text/plain') checkText();
  const row = await db
    .updateTable('attachments')
    .set({
      name: nameFor(facts.type, name),
      type: facts.type,
      size: bytes,
      ...facts.size,
      is_whole: true,
    })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
  return row ? toAttachment(row) : fail('UPLOAD_BROKEN');
}

/**
 * Uploads a file with a separate statement for each chunk, because a transaction would last as long
 * as the sender takes. If the upload fails, its chunks are deleted; if the panel ends in the
 * meantime, a job deletes them (decision 0070).
 */
export const uploadAttachment: Action<typeof contract.uploadAttachment> = async (
  { db, actor, log }: Ctx,
  { body: file },
) => {
  const name = soundName(file.name);
  await enforceLimit(db, uploadsLimit, actor.id);
  const id = await reserve(db, actor, name, file.most_bytes);
  try {
    return { attachment: await store(db, id, name, file) };
  } catch (error) {
    await removeUpload(db, id).catch((err: unknown) =>
      log.warn({ err, attachment_id: id }, 'a broken upload is deleted later'),
    );
    throw error;
  }
};

/** Deletes an upload of the actor's that is not attached. Throws ATTACHMENT_NOT_FOUND or ATTACHMENT_IN_USE. */
export const deleteAttachment: PlainMutation<typeof contract.deleteAttachment> = {
  audit: { notAudited: 'nobody but its account has seen it' },
  commit: async (tx, { actor }, { params }) => {
    const found = await tx
      .selectFrom('attachments')
      .select('ticket_id')
      .where('id', '=', params.id)
      .where('account_id', '=', actor.id)
      .where('is_whole', '=', true)
      .forUpdate()
      .executeTakeFirst();
    if (!found) return fail('ATTACHMENT_NOT_FOUND');
    if (found.ticket_id !== null) fail('ATTACHMENT_IN_USE');
    await removeUpload(tx, params.id);
    return { success: true };
  },
};
