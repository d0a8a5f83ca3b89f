/** Speaks to the panel as a script of an operator would. */
export class Api {
  readonly #url: string;
  #cookie = '';

  constructor(url: string) {
    this.#url = url;
  }

  async signIn({ email, password }: { email: string; password: string }): Promise<this> {
    const response = await this.#send('POST', '/api/auth/sign-in/email', { email, password });
    this.#cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return this;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it put there
  async post(path: string, body?: unknown): Promise<any> {
    return (await this.#send('POST', path, body)).json();
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it put there
  async patch(path: string, body: unknown): Promise<any> {
    return (await this.#send('PATCH', path, body)).json();
  }

  async #send(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.#cookie ? { cookie: this.#cookie } : {}),
        'idempotency-key': crypto.randomUUID(),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response;
  }
}
