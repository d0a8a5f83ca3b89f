import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startApi, stopServers } from '../domain/machines/card-server/testing/servers.ts';
import { startMemoryCardServer } from '../testing/card-servers/memory-card-server.ts';
import { newLine } from '../testing/lines.ts';
import { databases, startTestPanel, type TestPanel } from '../testing/panel.ts';
import { metricsOf } from '../testing/wire/metrics.ts';

test('/health, the documentation and CHANGELOG.md name the version that runs', async () => {
  const panel = await startTestPanel();
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const asked = panel.anonymous();
  expect((await asked.get('/health')).body).toEqual({ status: 'ok', version });
  expect((await panel.admin.get('/api/openapi.json')).body.info.version).toBe(version);
  const changes = await readFile('CHANGELOG.md', 'utf8');
  expect(/^## (\S+) - /m.exec(changes)?.[1]).toBe(version);
  const [newest = '', ...others] = [...changes.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
  expect(newest).toMatch(/^(?:Next|\S+ - \d{4}-\d\d-\d\d)$/);
  for (const title of others) expect(title).toMatch(/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/);
  const parts = [...changes.matchAll(/^### (.*)$/gm)].map(([, title]) => title);
  expect(['Added', 'Changed', 'Fixed', 'Upgrade notes']).toEqual(expect.arrayContaining(parts));
  // The last migration decides to which version an operator can go back.
  const migrations = await readdir('apps/server/src/db/migrations');
  const last = migrations
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .at(-1);
  expect(`${/^Migrations up to `(\w+)`/m.exec(changes)?.[1]}.sql`).toBe(last);
});

describe.each(databases)('/metrics on %s', (kind) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
  });
  afterEach(stopServers);

  const ageIs = (seconds: number) =>
    sql`update server_accounts set wanted_since = now() - make_interval(secs => ${seconds})`.execute(
      panel.services.db,
    );

  test('says what is due, what fails and since when it is wanted, however often it was tried', async () => {
    const { db } = panel.services;
    let isDown = true;
    const api = await startApi(({ method }) => ({
      status: isDown && method !== 'GET' ? 503 : 200,
      json: { version: '1' },
    }));
    await panel.addServer(`http://127.0.0.1:${api.port}`);
    expect(await metricsOf(panel.url)).toMatchObject({
      linekeeper_database_up: 1,
      linekeeper_pushes_due: 0,
      linekeeper_pushes_failing: 0,
      linekeeper_pushes_oldest_seconds: 0,
    });
    const { body } = await panel.admin.post('/api/lines', newLine('waits'));
    const line = `/api/lines/${body.line.id}`;
    await ageIs(3600);
    expect((await panel.admin.post(`${line}/sync`)).body.sync.ok).toBe(false);
    const failing = await metricsOf(panel.url);
    expect(failing).toMatchObject({ linekeeper_pushes_due: 1, linekeeper_pushes_failing: 1 });
    expect(failing.linekeeper_pushes_oldest_seconds).toBeGreaterThanOrEqual(3600);

    isDown = false;
    expect((await panel.admin.post(`${line}/sync`)).body.sync.ok).toBe(true);
    expect(await metricsOf(panel.url)).toMatchObject({
      linekeeper_pushes_due: 0,
      linekeeper_pushes_oldest_seconds: 0,
    });
    await db.deleteFrom('server_accounts').execute();
  });

  test('counts the jobs that are not finished, and the age of the oldest', async () => {
    const { db } = panel.services;
    const { body } = await panel.admin.get('/api/me');
    const job = (state: 'queued' | 'running' | 'done', hours: number) => ({
      id: randomUUID(),
      account_id: body.id,
      action: 'edit' as const,
      arguments: '{}',
      undo_of: null,
      total: 0,
      state,
      created_at: new Date(Date.now() - hours * 3_600_000),
      // The job belongs to another panel, so this one does not start it.
      claimed_until: new Date(Date.now() + 60_000),
    });
    const rows = [job('queued', 1), job('queued', 2), job('running', 3), job('done', 4)];
    await db.insertInto('jobs').values(rows).execute();
    const metrics = await metricsOf(panel.url);
    expect(metrics).toMatchObject({
      'linekeeper_jobs{state="queued"}': 2,
      'linekeeper_jobs{state="running"}': 1,
    });
    expect(Math.floor((metrics.linekeeper_jobs_oldest_seconds ?? 0) / 3600)).toBe(3);
  });

  test('has every figure that the alert rules, the dashboard and the guide name', async () => {
    const files = [
      'deploy/alerts.yml',
      'deploy/grafana.json',
      'docs/reference/metrics-and-alarms.md',
    ].map((file) => new URL(`../../../../${file}`, import.meta.url));
    const text = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
    const named = new Set(text.match(/\b(?:linekeeper_(?!inside)|nodejs_|process_)\w+/g));
    expect(named.size).toBeGreaterThan(10);
    await panel.admin.get('/api/me');
    const machine = await startMemoryCardServer();
    machine.tells = { reload: { by: 'command', ok: true, waiting: 0 } };
    await panel.addServer(machine.url);
    const figures = Object.keys(await metricsOf(panel.url)).map((name) => name.split('{')[0]);
    const missing = [...named].filter((name) => !figures.some((one) => one?.startsWith(name)));
    expect(missing).toEqual([]);
  });

  test('has what an operator watches of the process', async () => {
    const metrics = await metricsOf(panel.url);
    expect(metrics).toMatchObject({
      'linekeeper_pool_connections{state="in_use"}': expect.any(Number),
      'linekeeper_pool_connections{state="idle"}': expect.any(Number),
      'linekeeper_pool_connections{state="waiting"}': 0,
      linekeeper_event_streams: 0,
    });
    expect(metrics.nodejs_eventloop_lag_p99_seconds).toBeGreaterThan(0);
    expect(metrics.process_resident_memory_bytes).toBeGreaterThan(0);
    const answered = Object.keys(metrics).filter((name) =>
      name.startsWith('linekeeper_request_duration_seconds_count'),
    );
    expect(answered.join('\n')).toContain('route="/api/me",status="200"');
  });
});
