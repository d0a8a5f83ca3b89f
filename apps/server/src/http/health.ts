import type { FastifyInstance } from 'fastify';
import client from 'prom-client';
import { readBackupState } from '../domain/backups/scheduled-backup.ts';
import type { Services } from '../domain/context/context.ts';
import { countBacklog } from '../domain/delivery/backlog.ts';
import { countNotTaken } from '../domain/machines/agent-reports.ts';
import { isSchemaCurrent, version } from '../platform/config/version.ts';
import { secondsBetween } from '../platform/jobs/schedule.ts';
import type { Shutdown } from './hardening/connections.ts';
import { noteCause } from './request-log.ts';

/** Metrics of the backups by schedule, equal on every panel but for the schedule itself. */
function collectBackupMetrics(
  registry: client.Registry,
  { config, db, log }: Services,
): () => Promise<void> {
  const gauge = (name: string, help: string) =>
    new client.Gauge({ name: `linekeeper_backup_${name}`, help, registers: [registry] });
  const interval = gauge(
    'interval_seconds',
    'Time between two backups of this panel’s schedule; 0 without one',
  );
  const made = gauge('last_made_timestamp_seconds', 'When the last backup was made; 0 if never');
  const bytes = gauge('last_made_bytes', 'Size of the last backup that was made');
  const failed = gauge('last_failed_timestamp_seconds', 'When a backup last failed; 0 if never');
  interval.set(config.backups ? secondsBetween(config.backups.schedule) : 0);
  return async () => {
    const state = await readBackupState(db).catch((error: unknown) => {
      log.error({ err: error }, 'the state of backups could not be read');
      return null;
    });
    made.set(state?.last_made ?? Number.NaN);
    bytes.set(state?.last_bytes ?? Number.NaN);
    failed.set(state?.last_failed ?? Number.NaN);
  };
}

/** Serves /health (the process), /ready (the database and its schema) and /metrics (Prometheus). */
export function addHealthRoutes(app: FastifyInstance, services: Services, closing: Shutdown): void {
  app.get('/health', { schema: { hide: true } }, async () => ({ status: 'ok', version }));
  app.get('/ready', { schema: { hide: true } }, async (request, reply) => {
    closing.wasAskedFor();
    if (closing.hasBegun()) {
      return reply
        .status(503)
        .send({ status: 'closing', database: 'unknown', migrations: 'unknown' });
    }
    try {
      if (await services.connection.takesNoChanges()) {
        return reply
          .status(503)
          .send({ status: 'unavailable', database: 'full', migrations: 'ok' });
      }
      if (await isSchemaCurrent(services.db))
        return { status: 'ok', database: 'ok', migrations: 'ok' };
      return reply
        .status(503)
        .send({ status: 'unavailable', database: 'ok', migrations: 'pending' });
    } catch (error) {
      noteCause(request, error);
      return reply
        .status(503)
        .send({ status: 'unavailable', database: 'unreachable', migrations: 'unknown' });
    }
  });
  const registry = collectProcessMetrics(app, services);
  const readBacklog = collectBacklogMetrics(registry, services);
  const readNotTaken = collectNotTaken(registry, services);
  const readBackups = collectBackupMetrics(registry, services);
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    await Promise.all([readBacklog(), readNotTaken(), readBackups()]);
    void reply.type(registry.contentType);
    return registry.metrics();
  });
}

function collectProcessMetrics(
  app: FastifyInstance,
  { connection, live }: Services,
): client.Registry {
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
  // Caches labelled series, because looking them up takes longer than counting; the routes bound
  // their number.
  const series = new Map<string, ReturnType<typeof duration.labels>>();
  app.addHook('onResponse', ({ method, routeOptions }, { statusCode, elapsedTime }, done) => {
    const route = routeOptions.url ?? 'unmatched';
    const key = `${method} ${statusCode} ${route}`;
    const found = series.get(key) ?? duration.labels({ method, route, status: statusCode });
    series.set(key, found);
    found.observe(elapsedTime / 1000);
    done();
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
  return registry;
}

/** Metrics of the whole database, equal on every panel; returns a function that updates them. */
function collectBacklogMetrics(
  registry: client.Registry,
  { connection, db, log }: Services,
): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new client.Gauge({ name: `linekeeper_${name}`, help, labelNames, registers: [registry] });
  const isUp = gauge('database_up', 'Whether the database answered this panel: 1 or 0');
  const isFull = gauge(
    'disk_full',
    'Whether the database refuses changes because its disk is full or it is read-only: 1 or 0',
  );
  const due = gauge('pushes_due', 'Changes that card servers have not taken yet, up to 10,000');
  const failing = gauge('pushes_failing', 'Of the changes due, those that were tried in vain');
  const oldestPush = gauge(
    'pushes_oldest_seconds',
    'Age of the oldest change due, since it was wanted',
  );
  const missing = gauge(
    'accounts_missing',
    'Accounts that card servers took and have lost, up to 10,000',
  );
  const jobs = gauge('jobs', 'Jobs that are not finished, by state, up to 10,000', ['state']);
  const oldestJob = gauge('jobs_oldest_seconds', 'Age of the oldest job that is not finished');
  const online = gauge('lines_online', 'Lines that are on, of the card servers that say so');
  const silent = gauge('servers_silent', 'Card servers that said who is on, and do not say it now');
  return async () => {
    // The process's own metrics are needed all the more without the database.
    const backlog = await countBacklog(db).catch((error: unknown) => {
      log.error({ err: error }, 'the backlog could not be read');
      return null;
    });
    isUp.set(backlog ? 1 : 0);
    isFull.set(Number(await connection.takesNoChanges().catch(() => Number.NaN)));
    due.set(backlog?.pushes_due ?? Number.NaN);
    failing.set(backlog?.pushes_failing ?? Number.NaN);
    oldestPush.set(backlog?.pushes_age ?? Number.NaN);
    missing.set(backlog?.accounts_missing ?? Number.NaN);
    jobs.set({ state: 'queued' }, backlog?.jobs_queued ?? Number.NaN);
    jobs.set({ state: 'running' }, backlog?.jobs_running ?? Number.NaN);
    oldestJob.set(backlog?.jobs_age ?? Number.NaN);
    online.set(backlog?.lines_online ?? Number.NaN);
    silent.set(backlog?.servers_silent ?? Number.NaN);
  };
}

/** Of each card server whose agent tells. */
function collectNotTaken(registry: client.Registry, { db, log }: Services): () => Promise<void> {
  const notTaken = new client.Gauge({
    name: 'linekeeper_server_changes_not_taken',
    help: 'Changes that were delivered to a server’s agent and that the card server has not taken yet',
    labelNames: ['server'],
    registers: [registry],
  });
  return async () => {
    const servers = await countNotTaken(db).catch((error: unknown) => {
      log.error({ err: error }, 'what card servers have not taken could not be read');
      return [];
    });
    // A server that is gone, or that says nothing any more, has no series.
    notTaken.reset();
    for (const { server_name, waiting } of servers) notTaken.set({ server: server_name }, waiting);
  };
}
