import { crc32 } from 'node:zlib';
import { sql } from 'kysely';
import { credentialsOf, type TestClient } from '../client.ts';
import type { TestPanel } from '../panel.ts';
import { type RawReply, sendRaw } from '../wire/raw.ts';

function pngPart(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** An image of 2 by 1 pixels, with `more` bytes in a chunk without pixels. */
export function pngOf(more: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.from('00000002000000010802000000', 'hex');
  const pixels = Buffer.from('789c63f8cfc0c0f09f010007ff01ff', 'hex');
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngPart('IHDR', head),
    ...(more.length > 0 ? [pngPart('ruSt', more)] : []),
    pngPart('IDAT', pixels),
    pngPart('IEND', Buffer.alloc(0)),
  ]);
}

/** An image of 1 by 1 pixels, with a comment. */
export function gifOf(comment = ''): Buffer {
  const said = Buffer.from(comment, 'latin1');
  return Buffer.concat([
    Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff', 'latin1'),
    ...(comment ? [Buffer.from([0x21, 0xfe, said.length]), said, Buffer.from([0])] : []),
    Buffer.from('2c000000000100010000020144003b', 'hex'),
  ]);
}

/** The structure of an image of 3 by 2 pixels, without its pixels: with an APP1, a restart and a stuffed byte. */
export function jpegOf(): Buffer {
  return Buffer.from(
    'ffd8 ffe1 0006 45786966 ffc0 000b 08 0002 0003 01 01 11 00 ffda 0008 01 01 00 00 3f 00 12ff0034ffd056 ffd9'.replaceAll(
      ' ',
      '',
    ),
    'hex',
  );
}

/** The structure of an image of 5 by 4 pixels, without its pixels. */
export function webpOf(): Buffer {
  const part = Buffer.from(
    'VP8L\x0a\x00\x00\x00\x2f\x00\x00\x00\x00\x00\x00\x00\x00\x00',
    'latin1',
  );
  part.writeUInt32LE((5 - 1) | ((4 - 1) << 14), 9);
  const head = Buffer.from('RIFF\x00\x00\x00\x00WEBP', 'latin1');
  head.writeUInt32LE(4 + part.length, 4);
  return Buffer.concat([head, part]);
}

export const pdf = Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');

const BOUNDARY = 'linekeeper-test-boundary';

interface Part {
  /** The parameters of the header `content-disposition`, after `form-data; `. */
  said: string;
  content: Buffer;
}

/** A body of multipart/form-data. */
export function multipart(parts: readonly Part[]): { type: string; body: Buffer } {
  const body = Buffer.concat([
    ...parts.flatMap(({ said, content }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; ${said}\r\nContent-Type: application/x-anything\r\n\r\n`,
      ),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, body };
}

export function filePart(content: Buffer | string, name: string): Part {
  return { said: `name="file"; filename="${name}"`, content: Buffer.from(content) };
}

/** Uploads a multipart body with any parts, including invalid ones. Returns the reply with any status, not parsed. */
export function sendParts(
  client: TestClient,
  parts: readonly Part[],
  headers: Record<string, string> = {},
): Promise<RawReply> {
  const { type, body } = multipart(parts);
  return sendRaw(client.url, {
    method: 'POST',
    path: '/api/attachments',
    headers: { ...credentialsOf(client), 'content-type': type, ...headers },
    body,
  });
}

/** Uploads one file. Returns the reply with its parsed body. */
export async function upload(client: TestClient, content: Buffer | string, name: string) {
  const { status, text } = await sendParts(client, [filePart(content, name)]);
  return { status, body: JSON.parse(text) };
}

/** Uploads a text. Returns the id of the attachment. */
export async function uploadText(client: TestClient, text = 'text', name = 'a.txt') {
  const { body } = await upload(client, text, name);
  return body.attachment.id as string;
}

export function download(client: TestClient, id: string): Promise<RawReply> {
  const path = `/api/attachments/${id}`;
  return sendRaw(client.url, { path, headers: credentialsOf(client) });
}

export async function countFiles({ services }: TestPanel) {
  const { rows } = await sql<{ files: number; chunks: number }>`select
    (select count(*) from attachments) as files,
    (select count(*) from attachment_chunks) as chunks`.execute(services.db);
  return rows[0];
}
