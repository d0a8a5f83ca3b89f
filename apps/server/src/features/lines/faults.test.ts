// @module-tag thorough
import { findingText } from '@linekeeper/contract/findings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type FaultName,
  type FaultyServer,
  faults,
  startFaultyServer,
} from '../../testing/card-servers/faulty-server.ts';
import type { TestReply } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
import { newLine, readServerFiles } from '../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  stopWaitingForPushes,
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

/** The expected reason for each fault; null if the server replies. */
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

const isSlow = (fault: FaultName) => reasons[fault] === 'connection timed out';

/** The message of a reply that does not wait for the server. */
const pendingMessage = (operation: Operation) =>
  findingText({ code: 'PUSH_PENDING', data: { operation } });

function expectedMessage(fault: FaultName, operation: Operation): string {
  if (fault === 'status_500') return 'Disk full';
  const reason = reasons[fault];
  if (reason === null) return failed[operation];
  return `User was ${done[operation]} database but could not be ${unreached[operation]} CCcam server: ${reason}`;
}

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
/** One seller for each server, because an account may have at most eight changes at the same time. */
const sellers = new Map<FaultName, TestAccount>();
const servers = new Map<FaultName, { id: string; faulty: FaultyServer }>();
const names = Object.keys(faults) as FaultName[];

beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel();
  for (const name of names) {
    const faulty = await startFaultyServer(Number(new URL(agent.url).port));
    const { id } = await panel.addServer(`http://127.0.0.1:${faulty.port}`, name);
    servers.set(name, { id, faulty });
    sellers.set(name, await panel.reseller({ credits: 100 }));
  }
});
afterAll(async () => {
  await panel?.stop();
  for (const { faulty } of servers.values()) await faulty.stop();
  await agent?.close();
});

const clientOf = (fault: FaultName) => sellers.get(fault)!.client;
/** Names for CCcam servers, which accept 20 bytes. */
const nameOf = (fault: FaultName, operation: Operation) =>
  `fault-${names.indexOf(fault)}-${operation}`;

async function sell(fault: FaultName, operation: Operation): Promise<TestReply> {
  const server_id = servers.get(fault)?.id;
  return clientOf(fault).post('/api/lines', newLine(nameOf(fault, operation), { server_id }));
}

/** The request for each operation on an existing line. */
const acts: Record<Operation, (fault: FaultName, id: string) => Promise<TestReply>> = {
  add: (fault) => sell(fault, 'add'),
  edit: (fault, id) => clientOf(fault).patch(`/api/lines/${id}`, { password: 'edited' }),
  renew: (fault, id) => clientOf(fault).post(`/api/lines/${id}/renew`, { subscription_months: 12 }),
  delete: (fault, id) => clientOf(fault).delete(`/api/lines/${id}`),
};
const costs = { add: 2, edit: 0, renew: 10, delete: 0 };

interface Outcome {
  fault: FaultName;
  operation: Operation;
  reply: TestReply;
}

async function pushUnder(fault: FaultName, operation: Operation, id: string): Promise<Outcome> {
  return { fault, operation, reply: await acts[operation](fault, id) };
}

/** The stored result of an attempt that continued after the reply. */
async function storedMessage(fault: FaultName, operation: Operation): Promise<string> {
  const { last_finding } = await panel.services.db
    .selectFrom('server_accounts')
    .select('last_finding')
    .where('username', '=', nameOf(fault, operation))
    .executeTakeFirstOrThrow();
  if (!last_finding) throw new Error('the attempt goes on');
  return findingText(last_finding);
}

/** Sum of all sellers' balances. */
async function balance(): Promise<number> {
  const replies = await Promise.all(names.map((fault) => clientOf(fault).get('/api/me')));
  return replies.reduce((sum, { body }) => sum + body.credits, 0);
}

/** Maximum growth of this process's memory while `work` runs. */
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

/** Starts a server with https, which a bad certificate needs. */
async function speakHttps(api_scheme: 'http' | 'https') {
  await panel.admin.patch(`/api/servers/${servers.get('bad_certificate')?.id}`, { api_scheme });
}

test('every fault times every operation: told, charged once, and mended when the server is back', {
  tags: [
    'spec:4.12',
    'spec:8.2',
    'spec:8.3',
    'spec:8.4',
    'spec:8.5',
    'spec:8.6',
    'spec:8.7',
    'spec:8.8',
    'spec:8.9',
    'spec:8.10',
  ],
}, async () => {
  const ids = new Map<string, string>();
  for (const fault of names) {
    for (const operation of operations.filter((one) => one !== 'add')) {
      const { body } = await sell(fault, operation);
      expect(body.sync, nameOf(fault, operation)).toEqual({ ok: true, message: null });
      ids.set(nameOf(fault, operation), body.line.id);
    }
  }
  const before = await balance();

  stopWaitingForPushes(panel);
  for (const [fault, { faulty }] of servers) await faulty.fail(fault);
  await speakHttps('https');
  const outcomes: Outcome[] = [];
  const growth = await growthDuring(async () => {
    const all = names.flatMap((fault) =>
      operations.map((operation) =>
        pushUnder(fault, operation, ids.get(nameOf(fault, operation)) ?? ''),
      ),
    );
    outcomes.push(...(await Promise.all(all)));
  });

  for (const { fault, operation, reply } of outcomes) {
    const name = nameOf(fault, operation);
    expect(reply.status, name).toBe(operation === 'add' ? 201 : 200);
    const { ok, message } = reply.body.sync;
    expect(ok, name).toBe(false);
    // On a busy machine, any server may be too slow to be waited for.
    const isPending = message === pendingMessage(operation);
    if (isSlow(fault)) expect(isPending, name).toBe(true);
    const told = isPending ? await eventually(() => storedMessage(fault, operation)) : message;
    expect(told, name).toBe(expectedMessage(fault, operation));
  }
  expect(growth).toBeLessThan(50 * 1024 * 1024);
  const price = operations.reduce((sum, operation) => sum + costs[operation], 0) * names.length;
  expect(await balance()).toBe(before - price);

  for (const { faulty } of servers.values()) await faulty.fail(null);
  await speakHttps('http');
  await eventually(async () => {
    const { body } = await panel.admin.get('/api/lines/counts');
    const due = await panel.services.db
      .selectFrom('server_accounts')
      .select('username')
      .whereRef('revision', '>', 'synced_revision')
      .execute();
    expect([body.not_synced, due]).toEqual([0, []]);
  });
  const { body } = await panel.admin.get('/api/lines?limit=100&sort=username');
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
});
