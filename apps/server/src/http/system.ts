import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import client from 'prom-client';
import type { Services } from '../core/context.ts';
import { isSchemaCurrent } from '../core/readiness.ts';

/** /health (the process), /ready (the database and its schema) and /metrics (Prometheus). */
export function reportState(app: FastifyInstance, services: Services): void {
  app.get('/health', { schema: { hide: true } }, async () => ({ status: 'ok' }));
  app.get('/ready', { schema: { hide: true } }, async (request, reply) => {
    try {
      if (await isSchemaCurrent(services.db))
        return { status: 'ok', database: 'ok', migrations: 'ok' };
      return reply
        .status(503)
        .send({ status: 'unavailable', database: 'ok', migrations: 'pending' });
    } catch (error) {
      request.log.error({ err: error }, 'not ready');
      return reply
        .status(503)
        .send({ status: 'unavailable', database: 'unreachable', migrations: 'unknown' });
    }
  });
  const registry = collectMetrics(app, services);
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    void reply.type(registry.contentType);
    return registry.metrics();
  });
}

function collectMetrics(app: FastifyInstance, { connection, db, live }: Services): client.Registry {
  const registers = [new client.Registry()] as const;
  const [registry] = registers;
  client.collectDefaultMetrics({ register: registry });
  const duration = new client.Histogram({
    name: 'linekeeper_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unmatched';
    duration.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });
  new client.Gauge({
    name: 'linekeeper_event_streams',
    help: 'Open event streams of this process',
    registers: [registry],
    collect() {
      this.set(live.streamCount);
    },
  });
  new client.Gauge({
    name: 'linekeeper_pool_connections',
    help: 'Database connections of this process by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(connection.poolState()))
        this.set({ state }, count);
    },
  });
  const due = new client.Gauge({
    name: 'linekeeper_pushes_due',
    help: 'Changes that card servers have not taken yet',
    registers: [registry],
  });
  new client.Gauge({
    name: 'linekeeper_pushes_oldest_seconds',
    help: 'Age of the oldest change that a card server has not taken yet',
    registers: [registry],
    async collect() {
      // Without the database the process's own figures are wanted all the more.
      const counted = await countDuePushes(db).catch(() => null);
      due.set(counted?.count ?? Number.NaN);
      this.set(counted?.age ?? Number.NaN);
    },
  });
  return registry;
}

async function countDuePushes(
  db: Services['db'],
): Promise<{ count: number; age: number } | undefined> {
  const { rows } = await sql<{ count: number; age: number }>`
    select count(*) as count,
      coalesce(extract(epoch from now() - min(updated_at)), 0)::float8 as age
      from server_accounts where revision > synced_revision`.execute(db);
  return rows[0];
}
