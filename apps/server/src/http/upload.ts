import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { ArrivingFile } from '@linekeeper/contract/endpoint.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail, fieldRefusal, refusal } from '../platform/errors/refusal.ts';
import { isMalformed } from './hardening/malformed.ts';

/** The most that multipart adds to a file: its boundaries and the part's headers. */
const FRAME_BYTES = 16 * 1024;
/** A sender that is silent for this long is gone. */
const SENDER_MAY_PAUSE_MS = 30_000;
const MEGABYTE = 1024 * 1024;

/** Leaves bodies of any type unread, for `withUpload`. */
export function leaveBodiesUnread(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
}

/**
 * Runs `work` with the file that a request carries as the part `file` of multipart/form-data, and
 * nothing else.
 */
export async function withUpload<T>(
  { raw }: FastifyRequest,
  maxBytes: number,
  work: (file: ArrivingFile) => Promise<T>,
): Promise<T> {
  const announced = Number(raw.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (Number.isFinite(announced) && announced > maxBytes + FRAME_BYTES) throw tooLarge(maxBytes);
  const upload = new Upload(raw, maxBytes);
  try {
    const { name, file } = await upload.opened;
    const most_bytes = Math.min(maxBytes, announced);
    return await work({ name, most_bytes, parts: upload.read(file) });
  } finally {
    upload.stop();
  }
}

const tooLarge = (maxBytes: number) =>
  refusal('FILE_TOO_LARGE', { maximum_mb: maxBytes / MEGABYTE });

function parserFor(raw: IncomingMessage, fileSize: number) {
  if (!/^multipart\/form-data\s*;/i.test(raw.headers['content-type'] ?? '')) fail('NOT_MULTIPART');
  try {
    return new Busboy({
      headers: raw.headers as BusboyHeaders,
      // Names with folders are to be seen, and refused.
      preservePath: true,
      limits: { parts: 1, files: 1, fileSize, headerPairs: 20, headerSize: FRAME_BYTES / 2 },
    });
  } catch {
    return fail('NOT_MULTIPART');
  }
}

/** How browsers encode characters that would end a file name. They encode no others. */
const WRITTEN: Record<string, string> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

function asChosen(name: string): string {
  return name.replace(/%(?:22|0D|0A)/g, (written) => WRITTEN[written] ?? written);
}

interface Opened {
  name: string;
  file: Readable;
}

/**
 * One body on its way. Its connection is not piped but fed by hand: a pipeline would end it with the
 * parser, and the sender would never read why.
 */
class Upload {
  readonly #raw: IncomingMessage;
  readonly #maxBytes: number;
  readonly #parser: ReturnType<typeof parserFor>;
  readonly #ended = Promise.withResolvers<void>();
  readonly #opened = Promise.withResolvers<Opened>();
  readonly #timer: NodeJS.Timeout;
  #file: Readable | null = null;
  #bytes = 0;
  #isOver = false;

  constructor(raw: IncomingMessage, maxBytes: number) {
    this.#raw = raw;
    this.#maxBytes = maxBytes;
    this.#parser = parserFor(raw, maxBytes);
    this.#ended.promise.catch(() => {});
    const broken = () => this.#end(refusal('UPLOAD_BROKEN'));
    this.#timer = setTimeout(broken, SENDER_MAY_PAUSE_MS).unref();
    this.#watchParser(broken);
    raw.on('data', this.#take);
    raw.once('end', this.#endBody);
    raw.once('close', () => {
      if (!raw.complete) broken();
    });
    raw.once('error', broken);
  }

  get opened(): Promise<Opened> {
    return this.#opened.promise;
  }

  /** Throws in the end if there was anything beside the file, or not all of it. */
  async *read(file: Readable): AsyncGenerator<Uint8Array> {
    for await (const part of file) yield part;
    await this.#ended.promise;
  }

  /** The rest of a refused body must still arrive, or the sender would not read the reply. */
  stop(): void {
    this.#end(refusal('UPLOAD_BROKEN'));
  }

  #watchParser(broken: () => void): void {
    const parser = this.#parser;
    parser.on('file', (field, file, name) => {
      this.#file = file;
      if (field !== 'file') return this.#end(fieldRefusal('file', 'REQUIRED'));
      file.once('limit', () => this.#end(tooLarge(this.#maxBytes)));
      this.#opened.resolve({ name: asChosen(name ?? ''), file });
    });
    parser.on('field', () => this.#end(fieldRefusal('file', 'REQUIRED')));
    parser.on('partsLimit', () => this.#end(fieldRefusal('file', 'ONE_FILE_AT_A_TIME')));
    parser.on('error', broken);
    parser.on('finish', () => {
      if (isMalformed(this.#raw)) this.#end(refusal('REQUEST_MALFORMED'));
      else if (this.#file) this.#end(null);
      else this.#end(fieldRefusal('file', 'REQUIRED'));
    });
  }

  readonly #take = (chunk: Buffer): void => {
    this.#timer.refresh();
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes + FRAME_BYTES) {
      this.#end(tooLarge(this.#maxBytes));
    } else if (!this.#parser.write(chunk)) {
      this.#raw.pause();
      this.#parser.once('drain', () => this.#raw.resume());
    }
  };

  readonly #endBody = (): void => {
    this.#parser.end();
  };

  /** null if all is well. */
  #end(problem: Error | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#raw.off('data', this.#take);
    this.#raw.off('end', this.#endBody);
    if (!problem) {
      this.#ended.resolve();
      return;
    }
    this.#ended.reject(problem);
    this.#opened.reject(problem);
    // Its parser is fed no more, so nobody listens to what becomes of the file.
    this.#file?.on('error', () => {});
    this.#file?.destroy(problem);
    // The rest is dropped by `replyAfterBody`.
    this.#raw.resume();
  }
}
