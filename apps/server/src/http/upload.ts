import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart';
import type { ArrivingFile } from '@linekeeper/contract/endpoint.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail, failField, fieldRefusal, Refusal, refusal } from '../platform/errors/refusal.ts';
import { isMalformed } from './hardening/malformed.ts';

/** Bytes that multipart adds to a file at most: its boundaries and the part's headers. */
const FRAME_BYTES = 16 * 1024;
/** Milliseconds of silence after which a sender counts as disconnected. */
const SENDER_MAY_PAUSE_MS = 30_000;
const MEGABYTE = 1024 * 1024;

/** Accepts multipart, and leaves bodies of other types unread, which `withUpload` refuses. */
export async function takeUploads(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  await scope.register(multipart, { throwFileSizeLimit: false });
}

/**
 * Runs `work` with the file of a request, which must be its only part, `file`, of multipart/form-data. Throws
 * NOT_MULTIPART, FILE_TOO_LARGE, UPLOAD_BROKEN, REQUEST_MALFORMED, or REQUIRED and ONE_FILE_AT_A_TIME for the field.
 */
export async function withUpload<T>(
  request: FastifyRequest,
  maxBytes: number,
  work: (file: ArrivingFile) => Promise<T>,
): Promise<T> {
  const { raw } = request;
  const announced = Number(raw.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (Number.isFinite(announced) && announced > maxBytes + FRAME_BYTES) throw tooLarge(maxBytes);
  // An error of the request stops the plugin.
  const stop = (problem: Refusal) => raw.emit('error', problem);
  const timer = setTimeout(stop, SENDER_MAY_PAUSE_MS, refusal('UPLOAD_BROKEN')).unref();
  let left = maxBytes + FRAME_BYTES;
  const watch = (chunk: Buffer) => {
    timer.refresh();
    left -= chunk.length;
    if (left < 0) stop(tooLarge(maxBytes));
  };
  raw.on('data', watch);
  try {
    const parts = readParts(request, maxBytes);
    const part = await openFile(parts);
    return await work({
      // The plugin's types lack a file without a name, which its reader refuses.
      name: asChosen(part.filename ?? ''),
      most_bytes: Math.min(maxBytes, announced),
      parts: readFile(request, part, parts, maxBytes),
    });
  } finally {
    clearTimeout(timer);
    raw.off('data', watch);
    // The sender of a refused body must be able to send all of it; `replyAfterBody` drops it.
    raw.unpipe().resume();
  }
}

const tooLarge = (maxBytes: number) =>
  refusal('FILE_TOO_LARGE', { maximum_mb: maxBytes / MEGABYTE });

type Parts = AsyncGenerator<Multipart>;

async function* readParts(request: FastifyRequest, fileSize: number): Parts {
  if (!request.isMultipart()) fail('NOT_MULTIPART');
  try {
    yield* request.parts({
      // Names with folders are kept whole, so that they can be refused.
      preservePath: true,
      limits: { parts: 1, files: 1, fileSize, headerPairs: 20, headerSize: FRAME_BYTES / 2 },
    });
  } catch (error) {
    throw asRefusal(error);
  }
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'FST_PARTS_LIMIT') return fieldRefusal('file', 'ONE_FILE_AT_A_TIME');
  // The part has the name of a property of every object, such as constructor.
  if (code === 'FST_PROTO_VIOLATION') return fieldRefusal('file', 'REQUIRED');
  return refusal(/boundary not found/i.test(message) ? 'NOT_MULTIPART' : 'UPLOAD_BROKEN');
}

async function openFile(parts: Parts): Promise<MultipartFile> {
  const { value: part } = await parts.next();
  if (part?.type === 'file' && part.fieldname === 'file') return part;
  // `next` throws if there is another part.
  if (part?.type === 'field') await parts.next();
  return failField('file', 'REQUIRED');
}

/** Yields the file. Throws at the end if there was another part, or if the file is incomplete. */
async function* readFile(
  { raw }: FastifyRequest,
  { file }: MultipartFile,
  parts: Parts,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  try {
    yield* file;
  } catch (error) {
    throw asRefusal(error);
  }
  if (file.truncated) throw tooLarge(maxBytes);
  await parts.next();
  if (isMalformed(raw)) fail('REQUEST_MALFORMED');
}

/** The encoded form of characters that would end a file name. Browsers encode no others. */
const WRITTEN: Record<string, string> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

function asChosen(name: string): string {
  return name.replace(/%(?:22|0D|0A)/g, (written) => WRITTEN[written] ?? written);
}
