/** The reply as tests read it; `body` is the parsed JSON. */
export interface TestReply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it reads
  body: any;
  headers: Headers;
}

/** The headers that identify a client. */
export function credentialsOf({ cookie, apiKey }: Pick<TestClient, 'cookie' | 'apiKey'>) {
  return {
    ...(cookie ? { cookie } : {}),
    ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
  };
}

/** A client with one session or API key, like a browser or script. */
export class TestClient {
  readonly url: string;
  cookie = '';
  apiKey = '';

  constructor(url: string) {
    this.url = url;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestReply> {
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...credentialsOf(this),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      body: isJson ? JSON.parse(text) : text,
      headers: response.headers,
    };
  }

  get(path: string): Promise<TestReply> {
    return this.send('GET', path);
  }

  /** Adds a unique Idempotency-Key, as well-made clients do. */
  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<TestReply> {
    return this.send('POST', path, body, { 'idempotency-key': crypto.randomUUID(), ...headers });
  }

  patch(path: string, body: unknown): Promise<TestReply> {
    return this.send('PATCH', path, body, { 'idempotency-key': crypto.randomUUID() });
  }

  delete(path: string): Promise<TestReply> {
    return this.send('DELETE', path, undefined, { 'idempotency-key': crypto.randomUUID() });
  }

  async signIn(email: string, password: string): Promise<TestReply> {
    const reply = await this.send('POST', '/api/auth/sign-in/email', { email, password });
    this.cookie = reply.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return reply;
  }
}
