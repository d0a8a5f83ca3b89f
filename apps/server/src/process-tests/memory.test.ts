// @module-tag thorough
import { readFileSync } from 'node:fs';
import { afterAll, expect, test, vi } from 'vitest';
import { makeDatabase } from '../testing/panel.ts';
import { endPanels, FIRST_START, spawnPanel } from '../testing/process/process.ts';

vi.setConfig({ testTimeout: 120_000 });
afterAll(endPanels);

/** A panel and its card server share a machine of 1 GB, so the panel must never use most of it. */
const MOST_MB = 450;

test('an embedded panel never takes much memory, not even for a moment at its first start', async () => {
  const database = await makeDatabase('embedded');
  for (const time of ['first', 'second']) {
    const panel = await spawnPanel({ ...database.env, ...FIRST_START });
    const status = readFileSync(`/proc/${panel.child.pid}/status`, 'utf8');
    const most = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
    expect(most, `the ${time} start`).toBeLessThan(MOST_MB);
    panel.child.kill('SIGTERM');
    await panel.ended;
  }
  await database.remove();
});

test('the script of the documentation is loaded by who first opens it', async () => {
  const database = await makeDatabase('embedded');
  const panel = await spawnPanel({ ...database.env, ...FIRST_START, NODE_DEBUG: 'module,esm' });
  const isLoaded = () => /fastify-api-reference\/dist\/index\.js/.test(panel.stderr());
  expect(isLoaded()).toBe(false);
  expect((await fetch(`${panel.url}/api/docs/js/scalar.js`)).status).toBe(200);
  expect(isLoaded()).toBe(true);
  panel.child.kill('SIGTERM');
  await panel.ended;
  await database.remove();
});
