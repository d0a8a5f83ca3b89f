/** Calls the panel's API as an operator's script would. */
export class Api {
  readonly #url: string;
  /** The session cookie as `name=value`; empty before `signIn`. */
  cookie = '';

  constructor(url: string) {
    this.#url = url;
  }

  async signIn({ email, password }: { email: string; password: string }): Promise<this> {
    const response = await this.#send('POST', '/api/auth/sign-in/email', { email, password });
    this.cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return this;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests know the reply from their own setup
  async get(path: string): Promise<any> {
    return (await this.#send('GET', path)).json();
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests know the reply from their own setup
  async post(path: string, body?: unknown): Promise<any> {
    return (await this.#send('POST', path, body)).json();
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests know the reply from their own setup
  async patch(path: string, body: unknown): Promise<any> {
    return (await this.#send('PATCH', path, body)).json();
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests know the reply from their own setup
  async put(path: string, body: unknown): Promise<any> {
    return (await this.#send('PUT', path, body)).json();
  }

  async delete(path: string): Promise<void> {
    await this.#send('DELETE', path);
  }

  async #send(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.cookie ? { cookie: this.cookie } : {}),
        'idempotency-key': crypto.randomUUID(),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response;
  }
}
