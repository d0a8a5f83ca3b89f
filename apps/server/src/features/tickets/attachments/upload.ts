import type { ArrivingFile } from '@linekeeper/contract/endpoint.ts';
import type * as contract from '@linekeeper/contract/tickets/attachments.ts';
import {
  type Attachment,
  type AttachmentType,
  fileEndings,
  MAX_FILE_NAME,
} from '@linekeeper/contract/tickets/attachments.ts';
import { GIF } from 'image-size/types/gif';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import type { Db } from '../../../db/transaction.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import type { Action, Mutation } from '../../../domain/use-cases/use-case.ts';
import { failField } from '../../../platform/errors/refusal.ts';
import { enforceLimit, uploadsLimit } from '../../../platform/rate-limit.ts';
import {
  addChunk,
  CHUNK_BYTES,
  deleteOwnUpload,
  type FileFacts,
  finishUpload,
  removeUpload,
  reserve,
} from './store.ts';

/** All but tabs, line ends and page breaks: also those that a terminal obeys. */
const CONTROLS = /[^\P{Cc}\t\n\f\r]/u;
const MARKUP = /^<[a-z!?/]/i;
const PDF = /^%PDF-[12]\.\d/;

/** The four by name: the package's own list has readers of formats that cannot be attached. */
const pictures = { 'image/png': PNG, 'image/jpeg': JPG, 'image/gif': GIF, 'image/webp': WEBP };

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

/**
 * Recognises a file by its first chunk. Throws FILE_DAMAGED for an image whose size cannot be read from
 * it. What else is in the file is not looked at, as nothing but a download is ever served of it.
 */
function recognise(head: Buffer): FileFacts {
  const picture = recognisePicture(head);
  if (picture) return picture;
  return {
    type: PDF.test(head.toString('latin1', 0, 16)) ? 'application/pdf' : 'text/plain',
    size: null,
  };
}

function recognisePicture(chunk: Buffer): FileFacts | null {
  // A copy, as they read beyond the end of a buffer that lies in a larger one.
  const head = new Uint8Array(chunk);
  try {
    for (const [type, { validate, calculate }] of Object.entries(pictures)) {
      if (!validate(head)) continue;
      const { width, height } = calculate(head);
      if (width > 0 && height > 0) return { type: type as AttachmentType, size: { width, height } };
      return failField('file', 'FILE_DAMAGED');
    }
    return null;
  } catch {
    // Their way to say that an image ends too early or is malformed.
    return failField('file', 'FILE_DAMAGED');
  }
}

/** Checks that a file is plain text in UTF-8 which does not begin as HTML, SVG or XML. */
class TextCheck {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #beginning = '';

  /** Throws FILE_TYPE_REFUSED or FILE_IS_MARKUP. Without a chunk the text ends. */
  read(chunk?: Buffer): void {
    const text = this.#decode(chunk);
    if (CONTROLS.test(text)) failField('file', 'FILE_TYPE_REFUSED');
    if (this.#beginning.length >= 2) return;
    this.#beginning = (this.#beginning + text).trimStart().slice(0, 2);
    if (MARKUP.test(this.#beginning)) failField('file', 'FILE_IS_MARKUP');
  }

  #decode(chunk?: Buffer): string {
    try {
      return this.#decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      return failField('file', 'FILE_TYPE_REFUSED');
    }
  }
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
