import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { AwsV4Signer } from 'aws4fetch';

export type StoreMood = 'sound' | 'full' | 'silent' | 'corrupting';

const SIGN_IN = {
  accessKeyId: 'panel',
  secretAccessKey: 'secret-of-the-tests',
  region: 'us-east-1',
  service: 's3',
};
const PAGE = 1000;

/** Starts a store that understands the four calls of S3 that copies of backups need, and verifies their signatures. */
export async function startS3Server() {
  const objects = new Map<string, Buffer>();
  const state: { mood: StoreMood } = { mood: 'sound' };
  const server = createServer(async (request, reply) => {
    const { method = '', url = '', headers } = request;
    const refuse = (status: number, code: string) =>
      reply
        .writeHead(status)
        .end(`<Error><Code>${code}</Code><Message>As the test wants</Message></Error>`);
    const body = await buffer(request);
    if (state.mood === 'silent') return;
    const { pathname, searchParams } = new URL(url, 'http://store');
    const sum = String(headers['x-amz-content-sha256']);
    const signed = await new AwsV4Signer({
      ...SIGN_IN,
      method,
      url: `http://${headers.host}${url}`,
      headers: { 'x-amz-content-sha256': sum },
      datetime: String(headers['x-amz-date']),
    }).sign();
    if (signed.headers.get('authorization') !== headers.authorization)
      return refuse(403, 'SignatureDoesNotMatch');
    const key = decodeURIComponent(pathname.slice('/bucket/'.length));
    if (method === 'PUT') {
      if (state.mood === 'full') return refuse(507, 'InsufficientStorage');
      if (headers['content-length'] !== String(body.length))
        return refuse(411, 'MissingContentLength');
      if (createHash('sha256').update(body).digest('hex') !== sum) return refuse(400, 'BadDigest');
      objects.set(key, body);
      return reply.end();
    }
    if (method === 'DELETE') {
      objects.delete(key);
      return reply.writeHead(204).end();
    }
    if (searchParams.has('list-type')) {
      const [prefix, after] = [
        searchParams.get('prefix') ?? '',
        searchParams.get('start-after') ?? '',
      ];
      const keys = [...objects.keys()]
        .filter((name) => name.startsWith(prefix) && name > after)
        .sort();
      const found = keys.slice(0, PAGE).map((name) => `<Contents><Key>${name}</Key></Contents>`);
      return reply.end(`<ListBucketResult>${found.join('')}</ListBucketResult>`);
    }
    const object = objects.get(key);
    if (!object) return refuse(404, 'NoSuchKey');
    if (state.mood === 'corrupting')
      return reply.end(Buffer.concat([object.subarray(1), Buffer.of(0)]));
    return reply.end(object);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    objects,
    state,
    settings: {
      BACKUP_STORE: `http://${SIGN_IN.accessKeyId}@127.0.0.1:${port}/bucket/panel`,
      BACKUP_STORE_SECRET: SIGN_IN.secretAccessKey,
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
