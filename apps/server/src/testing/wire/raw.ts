import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

export interface RawRequest {
  method?: string;
  /** Sent unchanged, unlike a URL, which would be normalised. */
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Uint8Array;
  agent?: Agent;
  /** The address to come from, such as 127.0.0.2. */
  localAddress?: string;
}

export interface RawReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The raw body, possibly compressed. */
  bytes: Buffer;
}

/** Sends a request with exactly these headers, without additions of a library. */
export function sendRaw(base: string, options: RawRequest): Promise<RawReply> {
  const { hostname, port } = new URL(base);
  const { body, headers, path, method = 'GET', agent, localAddress } = options;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(
      {
        hostname,
        port,
        path,
        method,
        headers: { ...length, ...headers },
        ...(localAddress ? { localAddress } : {}),
        ...(agent ? { agent } : { agent: false }),
      },
      async (reply) => {
        const chunks: Buffer[] = [];
        try {
          for await (const chunk of reply) chunks.push(chunk);
        } catch (error) {
          return reject(error);
        }
        // Without a length, a truncated reply ends like a complete one.
        if (!reply.complete) return reject(new Error('The reply was cut short'));
        const bytes = Buffer.concat(chunks);
        const { statusCode: status = 0, headers } = reply;
        resolve({ status, headers, bytes, text: bytes.toString() });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

export const JSON_TYPE = { 'content-type': 'application/json' };
