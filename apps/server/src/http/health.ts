import type { FastifyInstance } from 'fastify';
import client from 'prom-client';
import { type BackupState, readBackupState } from '../domain/backups/scheduled-backup.ts';
import { type CopyState, readCopyState } from '../domain/backups/send-backup.ts';
import { type Backlog, countBacklog, readReachability } from '../domain/checks/backlog.ts';
import type { Services } from '../domain/context/context.ts';
import { countNotTaken } from '../domain/machines/agent-reports.ts';
import { isSchemaCurrent, newestMigration, version } from '../platform/config/version.ts';
import { secondsBetween } from '../platform/jobs/schedule.ts';
import type { Shutdown } from './hardening/connections.ts';
import { noteCause } from './request-log.ts';

/** Serves /health (the process), /ready (the database and its schema) and /metrics (Prometheus). */
export function addHealthRoutes(app: FastifyInstance, services: Services, closing: Shutdown): void {
  app.get('/health', { schema: { hide: true } }, async () => ({ status: 'ok', version }));
  app.get('/ready', { schema: { hide: true } }, async (request, reply) => {
    closing.wasAskedFor();
    const isNot = (status: string, database: string, migrations: string) =>
      reply.status(503).send({ status, database, migrations });
    if (closing.hasBegun()) return isNot('closing', 'unknown', 'unknown');
    try {
      if (await services.connection.takesNoChanges()) return isNot('unavailable', 'full', 'ok');
      if (!(await isSchemaCurrent(services.db))) return isNot('unavailable', 'ok', 'pending');
      return { status: 'ok', database: 'ok', migrations: 'ok' };
    } catch (error) {
      noteCause(request, error);
      return isNot('unavailable', 'unreachable', 'unknown');
    }
  });
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  measureRequests(app, registry);
  const update = collectFigures(registry, services);
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    await update();
    void reply.type(registry.contentType);
    return registry.metrics();
  });
}

function measureRequests(app: FastifyInstance, registry: client.Registry): void {
  const duration = new client.Histogram({
    name: 'linekeeper_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', ({ method, routeOptions }, { statusCode, elapsedTime }, done) => {
    const route = routeOptions.url ?? 'unmatched';
    duration.observe({ method, route, status: statusCode }, elapsedTime / 1000);
    done();
  });
}

/** Metrics of backups and their copies. */
const ofBackups = {
  backup_interval_seconds: 'Time between two backups of this panel’s schedule; 0 without one',
  backup_last_made_timestamp_seconds: 'When the last backup was made; 0 if never',
  backup_last_made_bytes: 'Size of the last backup that was made',
  backup_last_failed_timestamp_seconds: 'When a backup last failed; 0 if never',
  backup_last_copied_timestamp_seconds: 'When a backup was last copied off the machine; 0 if never',
  backup_last_restored_timestamp_seconds: 'When a backup was last restored as a test; 0 if never',
  backup_copies_missed: 'Backups in a row that were not copied, or could not be restored',
};

/** Makes all metrics of the panel but those of requests; returns a function that updates them. */
function collectFigures(registry: client.Registry, services: Services): () => Promise<void> {
  const { config, connection, db, live, log } = services;
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new client.Gauge({ name: `linekeeper_${name}`, help, labelNames, registers: [registry] });
  /** Sets gauges by their names; those without a value become NaN. */
  const gauges = <Name extends string>(helps: Record<Name, string>) => {
    const made = (Object.keys(helps) as Name[]).map((name) => [name, gauge(name, helps[name])]);
    return (values: Partial<Record<Name, number>>) => {
      for (const [name, one] of made as [Name, client.Gauge][]) one.set(values[name] ?? Number.NaN);
    };
  };
  /**
   * The result of a reading; the fallback while the database is unavailable, when the process's own
   * metrics are needed most.
   */
  const unlessAway = <T>(what: string, reading: Promise<T>, otherwise: T): Promise<T> =>
    reading.catch((error: unknown) => {
      log.error({ err: error }, `${what} could not be read`);
      return otherwise;
    });
  const streams = gauge('event_streams', 'Open event streams of this process');
  const pool = gauge('pool_connections', 'Database connections of this process by state', [
    'state',
  ]);
  // These figures are about the whole database and equal on every panel, except for the schedule of backups.
  const setDatabase = gauges({
    database_up: 'Whether the database answered this panel: 1 or 0',
    disk_full:
      'Whether the database refuses changes because its disk is full or it is read-only: 1 or 0',
    pushes_due: 'Changes that card servers have not taken yet, up to 10,000',
    pushes_failing: 'Of the changes due, those that were tried in vain',
    pushes_oldest_seconds: 'Age of the oldest change due, since it was wanted',
    accounts_missing: 'Accounts that card servers took and have lost, up to 10,000',
    jobs_oldest_seconds: 'Age of the oldest job that is not finished',
    lines_online: 'Lines that are on, of the card servers that say so',
    servers_silent: 'Card servers that said who is on, and do not say it now',
  });
  const jobs = gauge('jobs', 'Jobs that are not finished, by state, up to 10,000', ['state']);
  // This gauge has a series for each card server whose agent reports it.
  const notTaken = gauge(
    'server_changes_not_taken',
    'Changes that were delivered to a server’s agent and that the card server has not taken yet',
    ['server'],
  );
  const info = gauge('info', 'Version of this panel, kind and schema of its database; always 1', [
    'version',
    'database',
    'schema',
  ]);
  // This gauge has a series for each card server that is not inactive.
  const serverUp = gauge('server_up', 'Whether the card server responds: 1 or 0', ['server']);
  const setBackups = gauges(ofBackups);
  return async () => {
    const [backlog, isFull, servers, backups, copies, schema, reached] = await Promise.all([
      unlessAway<Partial<Backlog>>('the backlog', countBacklog(db), {}),
      connection.takesNoChanges().catch(() => Number.NaN),
      unlessAway('what card servers have not taken', countNotTaken(db), []),
      unlessAway<Partial<BackupState>>('the state of backups', readBackupState(db), {}),
      unlessAway<Partial<CopyState>>('the state of copies', readCopyState(db), {}),
      unlessAway('the schema', newestMigration(db), ''),
      unlessAway('the state of card servers', readReachability(db), []),
    ]);
    streams.set(live.streamCount);
    for (const [state, count] of Object.entries(connection.poolState())) pool.set({ state }, count);
    setDatabase({
      ...backlog,
      database_up: Number('pushes_due' in backlog),
      disk_full: Number(isFull),
      pushes_oldest_seconds: backlog.pushes_age,
      jobs_oldest_seconds: backlog.jobs_age,
    });
    jobs.set({ state: 'queued' }, backlog.jobs_queued ?? Number.NaN);
    jobs.set({ state: 'running' }, backlog.jobs_running ?? Number.NaN);
    // A server that was deleted or stopped reporting loses its series.
    notTaken.reset();
    for (const { server_name, waiting } of servers) {
      notTaken.set({ server: server_name }, waiting);
    }
    info.reset();
    info.set({ version, database: connection.kind, schema }, 1);
    serverUp.reset();
    for (const { server_name, is_up } of reached) {
      serverUp.set({ server: server_name }, Number(is_up));
    }
    setBackups({
      backup_interval_seconds: config.backups ? secondsBetween(config.backups.schedule) : 0,
      backup_last_made_timestamp_seconds: backups.last_made,
      backup_last_made_bytes: backups.last_bytes,
      backup_last_failed_timestamp_seconds: backups.last_failed,
      backup_last_copied_timestamp_seconds: copies.sent_at,
      backup_last_restored_timestamp_seconds: copies.restored_at,
      backup_copies_missed: config.backups?.copies ? copies.missed : 0,
    });
  };
}
