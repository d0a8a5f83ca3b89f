import type pg from 'pg';
import type { Waits } from '../deadline.ts';
import { PatientClient } from './client.ts';
import type { DatabaseHosts } from './hosts.ts';

export type Listener = (payload: string) => void;

const RECONNECT_AFTER_MS = 1000;
/** Interval of checks that the connection is still alive. */
const HEARTBEAT_MS = 5000;
const CONNECT_MAY_LAST_MS = 4000;

interface Channel {
  onNotify: Listener;
  onReconnect: (() => void) | undefined;
}

/** A dedicated connection for LISTEN; it reconnects after the server restarts. */
export class NotificationClient {
  readonly #hosts: DatabaseHosts;
  readonly #waits: Waits;
  readonly #channels = new Map<string, Channel>();
  #client: pg.Client | null = null;
  #closed = false;

  constructor(hosts: DatabaseHosts, waits: Waits) {
    this.#hosts = hosts;
    this.#waits = waits;
  }

  async listen(channel: string, onNotify: Listener, onReconnect?: () => void): Promise<void> {
    this.#channels.set(channel, { onNotify, onReconnect });
    if (this.#client) await this.#client.query(`LISTEN ${channel}`);
    else await this.#connect();
  }

  async #connect(): Promise<void> {
    const client: pg.Client = new PatientClient({
      hosts: this.#hosts,
      waits: this.#waits,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MAY_LAST_MS,
      application_name: 'linekeeper-live',
    });
    client.on('notification', ({ channel, payload }) =>
      this.#channels.get(channel)?.onNotify(payload ?? ''),
    );
    client.on('error', () => {});
    await client.connect();
    try {
      for (const channel of this.#channels.keys()) await client.query(`LISTEN ${channel}`);
    } catch (error) {
      void client.end();
      throw error;
    }
    this.#client = client;
    const heartbeat = setInterval(() => void client.query('').catch(() => {}), HEARTBEAT_MS);
    heartbeat.unref();
    client.on('end', () => {
      clearInterval(heartbeat);
      if (this.#client !== client) return;
      this.#client = null;
      this.#reconnectLater();
    });
  }

  #reconnectLater(): void {
    if (this.#closed) return;
    setTimeout(() => {
      if (this.#closed || this.#client) return;
      this.#connect().then(
        () => {
          for (const { onReconnect } of this.#channels.values()) onReconnect?.();
        },
        () => this.#reconnectLater(),
      );
    }, RECONNECT_AFTER_MS).unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }
}
