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
export function notificationsOf(hosts: DatabaseHosts, waits: Waits) {
  const channels = new Map<string, Channel>();
  let current: pg.Client | null = null;
  let isClosed = false;

  async function connect(): Promise<void> {
    const client: pg.Client = new PatientClient({
      hosts,
      waits,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MAY_LAST_MS,
      application_name: 'linekeeper-live',
    });
    client.on('notification', ({ channel, payload }) =>
      channels.get(channel)?.onNotify(payload ?? ''),
    );
    client.on('error', () => {});
    await client.connect();
    try {
      for (const channel of channels.keys()) await client.query(`LISTEN ${channel}`);
    } catch (error) {
      void client.end();
      throw error;
    }
    current = client;
    const heartbeat = setInterval(() => void client.query('').catch(() => {}), HEARTBEAT_MS);
    heartbeat.unref();
    client.on('end', () => {
      clearInterval(heartbeat);
      if (current !== client) return;
      current = null;
      reconnectLater();
    });
  }

  function reconnectLater(): void {
    if (isClosed) return;
    setTimeout(() => {
      if (isClosed || current) return;
      connect().then(() => {
        for (const { onReconnect } of channels.values()) onReconnect?.();
      }, reconnectLater);
    }, RECONNECT_AFTER_MS).unref();
  }

  return {
    listen: async (channel: string, onNotify: Listener, onReconnect?: () => void) => {
      channels.set(channel, { onNotify, onReconnect });
      if (current) await current.query(`LISTEN ${channel}`);
      else await connect();
    },
    close: async () => {
      isClosed = true;
      const client = current;
      current = null;
      await client?.end();
    },
  };
}
