import type { ArrivingFile } from '@linekeeper/contract/endpoint.ts';
import type * as contract from '@linekeeper/contract/tickets/attachments.ts';
import type { Attachment } from '@linekeeper/contract/tickets/attachments.ts';
import type { Db } from '../../../db/transaction.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import type { Action, Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { enforceLimit, uploadsLimit } from '../../../platform/rate-limit.ts';
import { CheckedContent } from './content.ts';
import { nameFor, soundName } from './file-name.ts';
import {
  addChunk,
  CHUNK_BYTES,
  deleteOwnUpload,
  finishUpload,
  removeUpload,
  reserve,
} from './store.ts';

/** Parts of exactly one size, but for the last one. */
async function* inChunks(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
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
  const content = new CheckedContent(file.parts);
  let bytes = 0;
  let position = 0;
  for await (const chunk of inChunks(content)) {
    await addChunk(db, id, position++, chunk);
    bytes += chunk.length;
  }
  const { facts } = content;
  if (!facts) return fail('UPLOAD_BROKEN');
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
