import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestReply } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  type FaultName,
  type FaultyServer,
  faults,
  startFaultyServer,
} from '../../testing/faulty-server.ts';
import { expectBalancedBooks } from '../../testing/ledger.ts';
import { newLine, readServerFiles } from '../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

const operations = ['add', 'edit', 'renew', 'delete'] as const;
type Operation = (typeof operations)[number];

const done = { add: 'added to', edit: 'updated in', renew: 'renewed in', delete: 'deleted from' };
const unreached = {
  add: 'added to',
  edit: 'updated in',
  renew: 'renewed in',
  delete: 'deleted from',
};
const failed = {
  add: 'Failed to add user to CCcam server',
  edit: 'Failed to update user in CCcam server',
  renew: 'Failed to renew user in CCcam server',
  delete: 'Failed to delete user from CCcam server',
};

/** The reason behind the spec's sentence; null where the server did answer. */
const reasons: Record<FaultName, string | null> = {
  refused: 'connection refused',
  silent: 'connection timed out',
  half_open: 'connection timed out',
  one_byte_a_second: 'connection timed out',
  reset: 'connection reset',
  status_500: null,
  status_401: null,
  html: null,
  cut_json: 'connection closed early',
  fifty_megabytes: 'response too large',
  redirect: null,
  bad_certificate: 'certificate not trusted',
  reply_lost: 'connection reset',
};

function expectedMessage(fault: FaultName, operation: Operation): string {
  if (fault === 'status_500') return 'Disk full';
  const reason = reasons[fault];
  if (reason === null) return failed[operation];
  return `User was ${done[operation]} database but could not be ${unreached[operation]} CCcam server: ${reason}`;
}

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let seller: TestAccount;
const servers = new Map<FaultName, { id: string; faulty: FaultyServer }>();
const names = Object.keys(faults) as FaultName[];

beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel();
  seller = await panel.reseller({ credits: 1000 });
  for (const name of names) {
    const faulty = await startFaultyServer(Number(new URL(agent.url).port));
    const { id } = await panel.addServer(`http://127.0.0.1:${faulty.port}`, name);
    servers.set(name, { id, faulty });
  }
});
afterAll(async () => {
  await panel?.stop();
  for (const { faulty } of servers.values()) await faulty.stop();
  await agent?.close();
});

const nameOf = (fault: FaultName, operation: Operation) => `${fault}-${operation}`;

async function sell(fault: FaultName, operation: Operation): Promise<TestReply> {
  const server_id = servers.get(fault)?.id;
  return seller.client.post('/api/lines', newLine(nameOf(fault, operation), { server_id }));
}

/** What each operation does to a line that exists, and what it may cost. */
const acts: Record<Operation, (fault: FaultName, id: string) => Promise<TestReply>> = {
  add: (fault) => sell(fault, 'add'),
  edit: (_, id) => seller.client.patch(`/api/lines/${id}`, { password: 'edited' }),
  renew: (_, id) => seller.client.post(`/api/lines/${id}/renew`, { subscription_months: 12 }),
  delete: (_, id) => seller.client.delete(`/api/lines/${id}`),
};
const costs = { add: 2, edit: 0, renew: 10, delete: 0 };

interface Outcome {
  fault: FaultName;
  operation: Operation;
  ms: number;
  reply: TestReply;
}

async function attempt(fault: FaultName, operation: Operation, id: string): Promise<Outcome> {
  const startedAt = performance.now();
  const reply = await acts[operation](fault, id);
  return { fault, operation, reply, ms: performance.now() - startedAt };
}

async function balance(): Promise<number> {
  return (await seller.client.get('/api/me')).body.credits;
}

/** The most this process held at once while `work` ran, above what it held before. */
async function growthDuring(work: () => Promise<void>): Promise<number> {
  const held = () => process.memoryUsage().arrayBuffers + process.memoryUsage().external;
  const before = held();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, held());
  }, 10);
  await work();
  clearInterval(timer);
  return most - before;
}

/** A certificate can only be bad where one is asked for. */
async function speakHttps(api_scheme: 'http' | 'https') {
  await panel.admin.patch(`/api/servers/${servers.get('bad_certificate')?.id}`, { api_scheme });
}

test('every fault times every operation: told in time, charged once, and mended when the server is back', async () => {
  const ids = new Map<string, string>();
  for (const fault of names) {
    for (const operation of operations.filter((one) => one !== 'add')) {
      const { body } = await sell(fault, operation);
      expect(body.sync, nameOf(fault, operation)).toEqual({ ok: true, message: null });
      ids.set(nameOf(fault, operation), body.line.id);
    }
  }
  const before = await balance();

  for (const [fault, { faulty }] of servers) await faulty.fail(fault);
  await speakHttps('https');
  const outcomes: Outcome[] = [];
  const growth = await growthDuring(async () => {
    const all = names.flatMap((fault) =>
      operations.map((operation) =>
        attempt(fault, operation, ids.get(nameOf(fault, operation)) ?? ''),
      ),
    );
    outcomes.push(...(await Promise.all(all)));
  });

  for (const { fault, operation, reply, ms } of outcomes) {
    const name = nameOf(fault, operation);
    expect(reply.status, name).toBe(operation === 'add' ? 201 : 200);
    expect(reply.body.sync, name).toEqual({
      ok: false,
      message: expectedMessage(fault, operation),
    });
    expect(ms, name).toBeLessThan(11_000);
  }
  expect(growth).toBeLessThan(50 * 1024 * 1024);
  const price = operations.reduce((sum, operation) => sum + costs[operation], 0) * names.length;
  expect(await balance()).toBe(before - price);

  for (const { faulty } of servers.values()) await faulty.fail(null);
  await speakHttps('http');
  await eventually(async () => {
    const { body } = await seller.client.get('/api/lines/counts');
    const due = await panel.services.db
      .selectFrom('server_accounts')
      .select('username')
      .whereRef('revision', '>', 'synced_revision')
      .execute();
    expect([body.not_synced, due]).toEqual([0, []]);
  }, 60_000);
  const { body } = await seller.client.get('/api/lines?limit=100&sort=username');
  const { cccam, oscam } = await readServerFiles(agent);
  const wanted = names.flatMap((fault) => [
    `F: ${nameOf(fault, 'add')} pw-${nameOf(fault, 'add')}`,
    `F: ${nameOf(fault, 'edit')} edited`,
    `F: ${nameOf(fault, 'renew')} pw-${nameOf(fault, 'renew')}`,
  ]);
  expect(cccam.match(/^F: .*$/gm)?.sort()).toEqual(wanted.sort());
  for (const { username, expiry_date } of body.items) {
    expect(oscam, username).toMatch(new RegExp(`${username}\\b[^[]*${expiry_date}`));
  }
  expect(await balance()).toBe(before - price);
  await expectBalancedBooks(panel.services.db);
}, 120_000);
