import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const WEBHOOK_SECRET = 'whsec_of_the_tests';
const SECRET_KEY = 'sk_test_of_the_tests';
const WEBHOOK_PATH = '/api/payments/stripe/webhook';

export interface Session {
  id: string;
  object: 'checkout.session';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  amount_total: number;
  currency: string;
  client_reference_id: string;
  metadata: Record<string, string>;
  payment_intent: string | null;
  url: string | null;
  success_url: string;
}

export interface Event {
  id: string;
  object: 'event';
  type: string;
  created: number;
  data: { object: object };
}

interface Call {
  method: string;
  path: string;
  key: string | undefined;
  form: Record<string, string>;
}

/** The way in which the server replies to the next requests. */
type Mood = 'sound' | 'silent' | 'broken' | 'refusing';

/** Signs as Stripe does: time and body, with the secret that Stripe shares with the panel. */
export function signature(
  body: string,
  { secret = WEBHOOK_SECRET, at = Math.floor(Date.now() / 1000) } = {},
): string {
  const hash = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return `t=${at},v1=${hash}`;
}

export function newEvent(type: string, object: object, more: Partial<Event> = {}): Event {
  return {
    id: `evt_${randomUUID().replaceAll('-', '')}`,
    object: 'event',
    type,
    created: Math.floor(Date.now() / 1000),
    data: { object: { ...object } },
    ...more,
  };
}

/** Delivers an event to the panel, signed unless a signature is given. */
export async function deliver(
  panelUrl: string,
  event: Event | string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const response = await fetch(panelUrl + WEBHOOK_PATH, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signature(body),
      ...headers,
    },
    body,
  });
  return { status: response.status, body: await response.text() };
}

/** A server on loopback that replies as Stripe's API does, for the calls that the panel makes. */
export class StripeServer {
  readonly sessions = new Map<string, Session>();
  readonly calls: Call[] = [];
  mood: Mood = 'sound';
  /** The URL of the panel that gets the events of the payment page. */
  panelUrl = '';
  readonly #replies = new Map<string, { form: string; session: Session }>();
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error) => response.destroy(error));
  });

  /** The environment of a panel that uses this server for payments. */
  get env() {
    return {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: this.url,
    };
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Pays as the customer. Returns the event that reports the payment. */
  pay(id: string, changes: Partial<Session> = {}): Event {
    const session = this.sessionOf(id);
    Object.assign(session, {
      status: 'complete',
      payment_status: 'paid',
      payment_intent: `pi_${id}`,
      url: null,
      ...changes,
    });
    return newEvent('checkout.session.completed', session);
  }

  sessionOf(id: string): Session {
    const session = this.sessions.get(id);
    if (!session) throw new Error(`Stripe knows no session ${id}`);
    return session;
  }

  /** The id in the address of a payment page. */
  idIn(url: string): string {
    return new URL(url).pathname.split('/').at(-1) ?? '';
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { pathname } = new URL(request.url ?? '/', 'http://stripe');
    if (pathname.startsWith('/pay/')) {
      await this.#servePage(request, response, pathname);
      return;
    }
    const form = Object.fromEntries(new URLSearchParams(text));
    const key = request.headers['idempotency-key'] as string | undefined;
    this.calls.push({ method: request.method ?? '', path: pathname, key, form });
    if (this.mood === 'silent') return;
    if (this.mood === 'broken') return send(response, 500, failure('api_error'));
    if (this.mood === 'refusing') return send(response, 400, failure('invalid_request_error'));
    if (request.headers.authorization !== `Bearer ${SECRET_KEY}`) {
      return send(response, 401, failure('invalid_request_error'));
    }
    const [, , , , id = '', action] = pathname.split('/');
    if (!id) return send(response, ...this.#openSession(form, key));
    const session = this.sessions.get(id);
    if (!session) return send(response, 404, failure('invalid_request_error'));
    if (action === 'expire') {
      if (session.status !== 'open') return send(response, 400, failure('invalid_request_error'));
      Object.assign(session, { status: 'expired', url: null });
    }
    return send(response, 200, session);
  }

  #openSession(form: Record<string, string>, key = ''): [status: number, body: object] {
    const earlier = this.#replies.get(key);
    if (earlier && earlier.form !== JSON.stringify(form)) {
      return [400, failure('idempotency_error')];
    }
    if (earlier) return [200, earlier.session];
    const id = `cs_test_${randomUUID().replaceAll('-', '')}`;
    const session: Session = {
      id,
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      amount_total: Number(form['line_items[0][price_data][unit_amount]']),
      currency: form['line_items[0][price_data][currency]'] ?? '',
      client_reference_id: form.client_reference_id ?? '',
      metadata: { top_up_id: form['metadata[top_up_id]'] ?? '' },
      payment_intent: null,
      url: `${this.url}/pay/${id}`,
      success_url: form.success_url ?? '',
    };
    this.sessions.set(id, session);
    if (key) this.#replies.set(key, { form: JSON.stringify(form), session });
    return [200, session];
  }

  /** Serves the payment page for browsers. */
  async #servePage(request: IncomingMessage, response: ServerResponse, path: string) {
    const id = path.split('/').at(-1) ?? '';
    const session = this.sessionOf(id);
    if (request.method === 'POST') {
      await deliver(this.panelUrl, this.pay(id));
      response.writeHead(303, { location: session.success_url }).end();
      return;
    }
    const price = `${session.currency} ${session.amount_total}`;
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>Pay ${price}</title>
      <form method="post"><button style="padding:20px">Pay</button></form>`);
  }
}

function failure(type: string) {
  return { error: { type, message: 'in words of Stripe' } };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_test' });
  response.end(JSON.stringify(body));
}
