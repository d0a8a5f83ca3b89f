import type { ArrivingFile } from '@linekeeper/contract/endpoint.ts';
import type * as contract from '@linekeeper/contract/tickets/attachments.ts';
import {
  type Attachment,
  type AttachmentType,
  fileEndings,
  MAX_FILE_NAME,
} from '@linekeeper/contract/tickets/attachments.ts';
import type { Db } from '../../../db/transaction.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import type { Action, Mutation } from '../../../domain/use-cases/use-case.ts';
import { failField } from '../../../platform/errors/refusal.ts';
import { enforceLimit, uploadsLimit } from '../../../platform/rate-limit.ts';
import { type FileFacts, recognise, TextCheck } from './content.ts';
import {
  addChunk,
  CHUNK_BYTES,
  deleteOwnUpload,
  finishUpload,
  removeUpload,
  reserve,
} from './store.ts';

/** Separators of folders, control characters, and what writes a name backwards. */
const UNSAFE = /[/\\\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** The name without spaces around it. Throws FILE_NAME_REFUSED. */
function soundName(given: string): string {
  const name = given.trim().normalize('NFC');
  const isSound = !UNSAFE.test(given) && !/^\.*$/.test(name) && name.length <= MAX_FILE_NAME;
  return isSound ? name : failField('file', 'FILE_NAME_REFUSED', { maximum: MAX_FILE_NAME });
}

/** A name that says what the file is, so that no computer opens it as anything else. */
function nameFor(type: AttachmentType, name: string): string {
  const endings = fileEndings[type];
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (endings.includes(ending)) return name;
  const added = `.${endings[0]}`;
  const letters = [...name];
  while (letters.join('').length + added.length > MAX_FILE_NAME) letters.pop();
  return letters.join('') + added;
}

/** Parts of exactly one size, but for the last one. */
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

async function store(db: Db, id: string, name: string, file: ArrivingFile): Promise<Attachment> {
  let facts: FileFacts | null = null;
  let bytes = 0;
  let position = 0;
  const text = new TextCheck();
  for await (const chunk of inChunks(file.parts)) {
    facts ??= recognise(chunk);
    if (facts.type === 'text/plain') text.read(chunk);
    await addChunk(db, id, position++, chunk);
    bytes += chunk.length;
  }
  if (!facts) return failField('file', 'FILE_EMPTY');
  text.read();
  return finishUpload(db, id, nameFor(facts.type, name), bytes, facts);
}

/**
 * Each chunk is a statement of its own: a transaction would last as long as the sender takes. Where
 * the upload fails, what has arrived is deleted; where the panel ends meanwhile, a job deletes it.
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

export const deleteAttachment: Mutation<typeof contract.deleteAttachment, null> = {
  audit: { notAudited: 'nobody but its account has seen it' },
  commit: async (tx, { actor }, { params }) => {
    await deleteOwnUpload(tx, actor, params.id);
    return null;
  },
  reply: async () => ({ success: true }),
};
