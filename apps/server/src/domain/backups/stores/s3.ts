import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import { errorMessage } from '../../../platform/errors/error-message.ts';
import type { BackupStore, StoreConfig } from './store.ts';

const PAGE = 1000;
const MOST_SAID = 300;

const tag = (name: string, text: string) =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];

/** A store that understands S3: Amazon's own, and those of many providers. Buckets are named in the path. */
export function openS3(
  config: Extract<StoreConfig, { kind: 's3' }>,
  signal: AbortSignal,
): BackupStore {
  const { url, user: accessKeyId, secret: secretAccessKey, region } = config;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  const { origin, pathname } = new URL(url);
  const [, bucket = '', ...folders] = pathname.split('/');
  const folder = folders.map((name) => `${name}/`).join('');

  async function call(method: string, address: string, init: RequestInit = {}): Promise<Response> {
    const request = await client.sign(address, { method, redirect: 'manual', signal, ...init });
    const reply = await fetch(request).catch((error: unknown) => {
      signal.throwIfAborted();
      const { cause = error } = error as Error;
      throw new Error(`${origin} does not respond: ${errorMessage(cause)}`);
    });
    if (reply.ok) return reply;
    const text = await reply.text();
    const said = [tag('Code', text), tag('Message', text)].filter(Boolean).join(': ');
    throw new Error(
      `${origin} refused ${method} with status ${reply.status}. ${said.slice(0, MOST_SAID)}`.trim(),
    );
  }
  const at = (name: string) => `${url}/${name}`;

  return {
    async put({ name, path, sha256 }) {
      const body = await openAsBlob(path);
      // The store refuses a file whose sum is not the signed one.
      await call('PUT', at(name), { body, headers: { 'x-amz-content-sha256': sha256 } });
    },
    async get(name) {
      const { body } = await call('GET', at(name));
      return body ?? Readable.from([]);
    },
    async list() {
      const names: string[] = [];
      for (let page = PAGE; page >= PAGE; ) {
        const last = names.at(-1);
        const query = new URLSearchParams({
          'list-type': '2',
          prefix: folder,
          ...(last && { 'start-after': folder + last }),
        });
        const reply = await call('GET', `${origin}/${bucket}?${query}`);
        const keys = [...(await reply.text()).matchAll(/<Key>([^<]*)<\/Key>/g)];
        names.push(...keys.map(([, key = '']) => key.slice(folder.length)));
        page = keys.length;
      }
      return names;
    },
    remove: async (name) => void (await call('DELETE', at(name))),
    close: () => {},
  };
}
