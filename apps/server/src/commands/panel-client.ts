import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { signIn, signOut } from '@linekeeper/contract/auth/auth.ts';
import type { Body, Endpoint, Reply } from '@linekeeper/contract/endpoint.ts';
import type { ErrorBody } from '@linekeeper/contract/errors.ts';
import type { Config } from '../platform/config/config.ts';
import { Refusal } from '../platform/errors/refusal.ts';
import { panelUrl } from './panel-facts.ts';

/** A client of a panel's API for commands, with an API key or a session. */
export class PanelClient {
  readonly #url: string;
  readonly #apiKey: string | undefined;
  #cookie = '';

  /** Without a key, the session of `signIn` is used. */
  constructor(url: string, apiKey?: string) {
    this.#url = url;
    this.#apiKey = apiKey;
  }

  /** `path` has its parameters and query filled in. Throws a Refusal with the panel's own sentence. */
  async call<E extends Endpoint>(
    endpoint: E,
    body?: Body<E>,
    path: string = endpoint.path,
  ): Promise<Reply<E>> {
    const response = await this.#send(endpoint.method, path, body);
    const reply: unknown = await response.json().catch(() => null);
    if (isErrorBody(reply)) throw new Refusal(reply);
    const { data, success } = endpoint.output.safeParse(reply);
    if (!success) throw this.#isNoPanel();
    this.#cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? this.#cookie;
    return data as Reply<E>;
  }

  /** Writes the response to `file`, readable by its owner only. */
  async download(path: string, file: string): Promise<void> {
    const response = await this.#send('POST', path);
    if (!response.ok || !response.body) {
      const reply: unknown = await response.json().catch(() => null);
      throw isErrorBody(reply) ? new Refusal(reply) : this.#isNoPanel();
    }
    await pipeline(
      Readable.fromWeb(response.body),
      createWriteStream(file, { mode: 0o600, flush: true }),
    ).catch((error: unknown) => {
      // The file could not be written, because errors of the network come from other system calls.
      const call = error instanceof Error && 'syscall' in error ? error.syscall : null;
      if (call === 'open' || call === 'write' || call === 'fsync') throw error;
      throw new Error(
        `The connection to the panel at ${this.#url} was lost before everything had arrived`,
        {
          cause: error,
        },
      );
    });
  }

  #send(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(new URL(path, this.#url), {
      method,
      headers: {
        'idempotency-key': randomUUID(),
        ...(this.#cookie ? { cookie: this.#cookie } : {}),
        ...(this.#apiKey ? { authorization: `Bearer ${this.#apiKey}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new Error(`No panel responds at ${this.#url}. Set PANEL_URL.`, { cause: error });
    });
  }

  #isNoPanel = () => new Error(`The server at ${this.#url} is not a panel. Set PANEL_URL.`);
}

function isErrorBody(reply: unknown): reply is ErrorBody {
  return typeof reply === 'object' && reply !== null && 'code' in reply && 'message' in reply;
}

/** True if a panel is named, perhaps on another machine, or a key for one. Otherwise its socket is used. */
export const isPanelNamed = () => Boolean(process.env.PANEL_URL || process.env.PANEL_API_KEY);

/** Runs `work` at the running panel, with a key or with an administrator's session. */
export async function withRunningPanel<T>(
  config: Config,
  work: (panel: PanelClient) => Promise<T>,
): Promise<T> {
  const url = panelUrl(config);
  const { admin_email, admin_password } = config;
  const apiKey = process.env.PANEL_API_KEY;
  if (apiKey) return work(new PanelClient(url, apiKey));
  if (!admin_email || !admin_password) {
    throw new Error(
      `A panel is running, so this command works through ${url}. Set PANEL_API_KEY to an API key of an ` +
        'administrator, or ADMIN_EMAIL and ADMIN_PASSWORD, and PANEL_URL if the panel is at another address.',
    );
  }
  const panel = new PanelClient(url);
  const reply = await panel.call(signIn, { email: admin_email, password: admin_password });
  if ('two_factor_required' in reply) {
    throw new Error(
      `${admin_email} uses two-factor sign-in, which this command does not support. Create an API key on its ` +
        'profile page, for backups a backup key, and set PANEL_API_KEY.',
    );
  }
  try {
    return await work(panel);
  } finally {
    // If the panel has stopped, the error of `work` is the relevant one.
    await panel.call(signOut).catch(() => {});
  }
}
