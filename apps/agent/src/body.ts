import type { IncomingMessage } from 'node:http';
import type { Body } from './calls.ts';
import { Refusal } from './refusal.ts';

const MAX_BODY_BYTES = 64 * 1024;
const TOO_LARGE = 'The request body is larger than 64 KiB';

const DRAIN_MILLISECONDS = 1000;
const DRAIN_BYTES = 1024 * 1024;

/** The client disconnected before the body was complete, so nothing is replied. */
export class Abandoned extends Error {}

export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || Number(length ?? 0) > 0;
}

function collect(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (settle: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      settle();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) {
        request.pause();
        stop(() => reject(new Refusal(413, TOO_LARGE)));
      } else {
        chunks.push(chunk);
      }
    };
    const onEnd = () => stop(() => resolve(Buffer.concat(chunks)));
    const onClose = () => stop(() => reject(new Abandoned()));
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/**
 * Parses the body as a JSON object; throws `Refusal` (400, 413) or `Abandoned`. `accept` is called
 * before the body is read, to send 100 Continue.
 */
export async function readJson(request: IncomingMessage, accept: () => void): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    throw new Refusal(413, TOO_LARGE);
  }
  accept();
  const bytes = await collect(request);
  let value: unknown;
  try {
    // With `fatal`, invalid bytes are an error; otherwise all would become one replacement character.
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, 'The request body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(400, 'The request body must be a JSON object');
  }
  return value as Body;
}

/**
 * Discards what the client is still sending, within bounds. Closing immediately would reset the
 * connection and destroy a reply that the client has not read yet.
 */
export function drain(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let size = 0;
    const timer = setTimeout(finish, DRAIN_MILLISECONDS);
    function finish() {
      clearTimeout(timer);
      request.off('data', onData).off('end', finish).off('close', finish);
      resolve();
    }
    function onData(chunk: Buffer) {
      size += chunk.length;
      if (size > DRAIN_BYTES) finish();
    }
    request.on('data', onData).on('end', finish).on('close', finish);
    request.resume();
  });
}
