import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

export interface RawRequest {
  method?: string;
  /** Sent as it stands, unlike a URL that is parsed and tidied. */
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Uint8Array;
  agent?: Agent;
}

export interface RawReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** One request with exactly these headers: no browser's and no library's additions. */
export function sendRaw(base: string, options: RawRequest): Promise<RawReply> {
  const { hostname, port } = new URL(base);
  const { body, headers, path, method = 'GET', agent } = options;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(
      {
        hostname,
        port,
        path,
        method,
        headers: { ...length, ...headers },
        ...(agent ? { agent } : { agent: false }),
      },
      async (reply) => {
        const chunks: Buffer[] = [];
        try {
          for await (const chunk of reply) chunks.push(chunk);
        } catch (error) {
          return reject(error);
        }
        // A reply cut short ends like a whole one where it names no length.
        if (!reply.complete) return reject(new Error('The reply was cut short'));
        resolve({
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          text: Buffer.concat(chunks).toString(),
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

export const JSON_TYPE = { 'content-type': 'application/json' };
