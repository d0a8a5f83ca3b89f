import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Seconds by which a timestamp may differ from the receiver's clock. */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies a request as receivers do, written from the text of the convention alone. Throws if no signature is by the
 * secret, or if the request is old.
 */
export function verifyWebhook(
  secret: string,
  headers: Record<string, unknown>,
  body: string,
  now = Date.now() / 1000,
): unknown {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given } = headers;
  if (Math.abs(now - Number(at)) > TOLERANCE_SECONDS) throw new Error('old');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const sound = createHmac('sha256', key).update(`${id}.${at}.${body}`, 'utf8').digest();
  const isSigned = String(given)
    .split(' ')
    .map((text) => text.split(','))
    .some(([version, signature = '']) => {
      const bytes = Buffer.from(signature, 'base64');
      return version === 'v1' && bytes.length === sound.length && timingSafeEqual(bytes, sound);
    });
  if (!isSigned) throw new Error('not signed');
  return JSON.parse(body);
}

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver on loopback, which keeps what it gets; `answer` responds to each request. */
export async function startReceiver(
  answer: (response: ServerResponse, received: Received) => void = (response) =>
    response.writeHead(204).end(),
) {
  const receiver = { url: '', received: [] as Received[], answer, close: () => {} };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url: path = '', headers } = request;
    const received = { path, headers, body: Buffer.concat(chunks).toString() };
    receiver.received.push(received);
    receiver.answer(response, received);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  receiver.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return receiver;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
