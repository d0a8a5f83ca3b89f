// @module-tag thorough
import { randomInt } from 'node:crypto';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type FaultName,
  faults,
  startFaultyServer,
} from '../../testing/card-servers/faulty-server.ts';
import type { TestClient } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
import { newLine, readServerFiles } from '../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import { isSoak, size } from '../../testing/size.ts';

const OPERATIONS = size(120, 1000);
const SIDE_BY_SIDE = 12;
/** The number of names is small, so that lines are often deleted and sold again on both servers. */
const NAMES = size(15, 60);
/** Faults that block a caller for long are used in full-size runs only. */
const isSlow = (fault: FaultName) => /silent|half_open|one_byte/.test(fault);
const kinds = (Object.keys(faults) as FaultName[]).filter(
  (fault) => fault !== 'bad_certificate' && (isSoak || !isSlow(fault)),
);

let panel: TestPanel;
let seller: TestAccount;
type Place = Awaited<ReturnType<typeof addPlace>>;
const places: Place[] = [];

/** A card server behind a proxy that is faulty two times out of three. */
async function addPlace(name: string) {
  const agent = await startTestAgent();
  const faulty = await startFaultyServer(Number(new URL(agent.url).port));
  const { id } = await panel.addServer(`http://127.0.0.1:${faulty.port}`, name);
  return { id, agent, faulty };
}

beforeAll(async () => {
  panel = await startTestPanel();
  seller = await panel.reseller({ credits: 100_000 });
  for (const name of ['Here', 'There']) places.push(await addPlace(name));
});
afterAll(async () => {
  await panel?.stop();
  for (const { agent, faulty } of places) {
    await faulty.stop();
    await agent.close();
  }
});

const any = <T>(of: readonly T[]): T => of[randomInt(of.length)] as T;
const anyName = () => `drift-${randomInt(NAMES)}`;

async function anyLine(): Promise<string | undefined> {
  const { body } = await seller.client.get('/api/lines?limit=100');
  return body.items.length > 0 ? any<{ id: string }>(body.items).id : undefined;
}

/** A random operation on a line, which may be deleted concurrently. */
async function doAnything(): Promise<number> {
  const { client } = seller;
  const server_id = any(places).id;
  const password = `pw-${randomInt(1000)}`;
  const id = await anyLine();
  const sell = () => client.post('/api/lines', newLine(anyName(), { server_id, password }));
  if (!id) return (await sell()).status;
  const edit = (change: object, by = client) => by.patch(`/api/lines/${id}`, change);
  const act = any([
    sell,
    sell,
    () => edit({ password }),
    () => edit({ username: anyName() }),
    () => edit({ server_id }, panel.admin),
    () => client.post(`/api/lines/${id}/renew`, { subscription_months: 1 }),
    () => client.delete(`/api/lines/${id}`),
    () => client.post(`/api/lines/${id}/sync`),
  ]);
  return (await act()).status;
}

/** The lines that the panel wants on a server: name, password and expiry date. */
async function wantedOn(serverId: string): Promise<string[]> {
  const { secrets, db } = panel.services;
  const lines = await db
    .selectFrom('users')
    .select(['id', 'username', 'password', 'expiry_date'])
    .where('server_id', '=', serverId)
    .execute();
  return lines
    .map((line) => `${line.username} ${secrets.open(line.password, line.id)} ${line.expiry_date}`)
    .sort();
}

/** Lines actually on the server. */
async function heldBy({ agent }: Place): Promise<string[]> {
  const { oscam } = await readServerFiles(agent);
  const field = (block: string, name: string) =>
    new RegExp(`^${name}\\s*=\\s*(.*)$`, 'm').exec(block)?.[1]?.trim();
  return oscam
    .split('[account]')
    .slice(1)
    .map((block) => ['user', 'pwd', 'expdate'].map((name) => field(block, name)).join(' '))
    .sort();
}

test(
  'whatever is done while servers fail in every way, they end up holding what the panel holds',
  async () => {
    const isFailing = () => (randomInt(3) > 0 ? any(kinds) : null);
    for (const { faulty } of places) await faulty.fail(isFailing);
    const statuses: number[] = [];
    const operator = async () => {
      while (statuses.length < OPERATIONS) {
        statuses.push(0);
        statuses[statuses.length - 1] = await doAnything();
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, operator));
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(OPERATIONS / 4);

    for (const { faulty } of places) await faulty.fail(null);
    await eventually(async () => {
      for (const place of places) expect(await heldBy(place)).toEqual(await wantedOn(place.id));
      const { body } = await seller.client.get('/api/lines/counts');
      expect(body.not_synced).toBe(0);
    });
    // Checks again later, because a delayed request could still undo something.
    await sleep(size(0, 5000));
    for (const place of places) expect(await heldBy(place)).toEqual(await wantedOn(place.id));
    const wanted = await Promise.all(places.map(({ id }) => wantedOn(id)));
    expect(wanted.flat().length, 'lines left in the end').toBeGreaterThan(0);
    await expectBalancedBooks(panel.services.db);
  },
  size(300_000, 1_200_000),
);

// An operator at the card server -------------------------------------------------------------

const HAND_NAMES = [
  'one',
  'two',
  'three',
  'four',
  'a-name-of-twenty-byt',
  'a-name-of-twenty-bytes',
];

/** Starts a card server whose file an operator edits independently of the panel. */
async function startWorld(world: number) {
  let agent = await startTestAgent();
  const { url, dir } = agent;
  const { id: server_id } = await panel.addServer(url, `By hand ${world}`);
  const seller = await panel.reseller({ credits: 1000 });
  const path = join(dir, 'CCcam.cfg');
  await appendFile(path, '');
  const done: string[] = [];
  let passwords = 0;
  const nextPassword = (of: string) => `${of}-${world}-${passwords++}`;
  /** Names of one world, because the panel has each name once. The first 20 bytes of the long names are equal. */
  const anyHandName = () => {
    const name = any(HAND_NAMES);
    return name.length < 20
      ? `${name}-${world}`
      : `${String(world).padStart(2, '0')}${name.slice(2)}`;
  };
  const rows = async () =>
    (await readFile(path, 'utf8')).match(/^F: \S+ \S+/gm)?.map((row) => row.slice(3)) ?? [];
  const lines = async () =>
    (await panel.admin.get(`/api/lines?server_id=${server_id}&limit=100`)).body.items;
  const anyOwnLine = async (client: TestClient) => {
    const { body } = await client.get(`/api/lines?server_id=${server_id}&limit=100`);
    return body.items.length > 0 ? any<{ id: string; username: string }>(body.items) : undefined;
  };

  const acts = {
    async sell() {
      const body = newLine(anyHandName(), { server_id, password: nextPassword('pw') });
      const trial = randomInt(4) === 0 ? { is_trial: true, subscription_months: undefined } : {};
      return (await seller.client.post('/api/lines', { ...body, ...trial })).status;
    },
    async import() {
      const row = (username: string) => ({
        ...{ username, password: nextPassword('pw'), subscription_months: '1', server_id },
      });
      const names = new Set([anyHandName(), anyHandName()]);
      const body = { action: 'import', rows: [...names].map(row) };
      return (await seller.client.post('/api/lines/bulk', body)).status;
    },
    /** Moves a customer of the operator's to the panel, with the customer's password. */
    async adopt() {
      const byHand = (await rows()).filter((row) => row.includes(' hand-'));
      const [username = '', password] = byHand.length > 0 ? any(byHand).split(' ') : [];
      return (
        await panel.admin.post('/api/lines', { ...newLine(username, { server_id }), password })
      ).status;
    },
    async rename() {
      const client = any([seller.client, panel.admin]);
      const line = await anyOwnLine(client);
      return (
        line && (await client.patch(`/api/lines/${line.id}`, { username: anyHandName() })).status
      );
    },
    async password() {
      const line = await anyOwnLine(panel.admin);
      const change = { password: nextPassword('pw') };
      return line && (await panel.admin.patch(`/api/lines/${line.id}`, change)).status;
    },
    async suspend() {
      const line = await anyOwnLine(panel.admin);
      const act = any(['suspend', 'resume']);
      return line && (await panel.admin.post(`/api/lines/${line.id}/${act}`, {})).status;
    },
    async delete() {
      const line = await anyOwnLine(panel.admin);
      return line && (await panel.admin.delete(`/api/lines/${line.id}`)).status;
    },
    async write() {
      await appendFile(path, `F: ${anyHandName()} ${nextPassword('hand')} 2 0 1 # mine\n`);
      return 200;
    },
    async strike() {
      const byHand = (await rows()).filter((row) => row.includes(' hand-'));
      const gone = byHand.length > 0 ? any(byHand) : undefined;
      if (!gone) return 404;
      const text = await readFile(path, 'utf8');
      await writeFile(path, text.replace(new RegExp(`^F: ${gone}.*\\n`, 'm'), ''));
      return 200;
    },
    async away() {
      await agent.close();
      for (let step = randomInt(4); step > 0; step--) await act(any(names));
      agent = await startTestAgent(Number(new URL(url).port), dir);
      return (await panel.admin.post(`/api/servers/${server_id}/test`)).status;
    },
    async takeOver() {
      return (await panel.admin.post(`/api/servers/${server_id}/take-over`, {})).status;
    },
  };
  const names = (Object.keys(acts) as (keyof typeof acts)[]).filter((name) => name !== 'away');
  const often = [...names, 'sell', 'sell', 'rename', 'write', 'away'] as const;
  async function act(name: keyof typeof acts): Promise<void> {
    done.push(`${name} …`);
    done.push(`${name} ${await acts[name]()}`);
  }
  return {
    ...{ server_id, seller, rows, lines, done, act },
    actAny: () => act(any(often)),
    close: () => agent.close(),
  };
}

/** Expects that a server has exactly the lines that the panel wants there, once no change is on its way. */
async function expectSettled(server_id: string): Promise<void> {
  const { rows } = await sql`
    select username from server_accounts where server_id = ${server_id} and revision > synced_revision
      and coalesce(last_finding ->> 'code', '') not in
        ('KEPT_BY_HAND', 'SHARED_BY_HAND', 'WORKS_AS', 'WORKS_ON', 'FORMER_STAYS')
      and (wanted is not null or left_password is null)
    union all
    select id::text from jobs where state in ('queued', 'running')`.execute(panel.services.db);
  expect(rows).toEqual([]);
}

async function expectPaidLinesWork(world: Awaited<ReturnType<typeof startWorld>>): Promise<void> {
  const { secrets, db } = panel.services;
  const held = new Set(await world.rows());
  const sealed = await db
    .selectFrom('users')
    .select(['id', 'password'])
    .where('server_id', '=', world.server_id)
    .execute();
  const passwordOf = new Map(sealed.map((row) => [row.id, secrets.open(row.password, row.id)]));
  const ours = new Map<string, string>();
  for (const line of await world.lines()) {
    const row = `${line.username} ${passwordOf.get(line.id)}`;
    ours.set(row, line.id);
    if (line.sync_state === 'synced') {
      expect({ row, isThere: held.has(row) }).toEqual({ row, isThere: line.suspension === null });
      continue;
    }
    // A line that does not work has a finding that the operator has its name, and can be undone.
    expect({ row, code: line.sync_finding?.code }).toEqual({
      row,
      code: expect.stringMatching(/^(KEPT|SHARED)_BY_HAND$|^WORKS_AS$|^FORMER_STAYS$/),
    });
  }
  // Nobody has access for free: every row that belongs neither to the operator nor to a present line is marked.
  const { rows: left } = await sql<{ username: string }>`select username from server_accounts
    where server_id = ${world.server_id}
      and (revision > synced_revision or wanted ->> 'is_former' is not null)`.execute(db);
  const due = new Set(left.map(({ username }) => username));
  const strangers = [...held].filter((row) => row.includes(' pw-') && !ours.has(row));
  expect(strangers.filter((row) => !due.has(row.split(' ')[0] ?? ''))).toEqual([]);
}

/** The steps so far, the waiting changes, and the rows of the file. */
async function explain(one: Awaited<ReturnType<typeof startWorld>>, cause: unknown) {
  const { rows } = await sql`select username, wanted, operation, on_server, revision,
      synced_revision, last_finding ->> 'code' as code, left_password ->> 'line_id' as left
    from server_accounts where server_id = ${one.server_id}`.execute(panel.services.db);
  const state = JSON.stringify({ rows, held: await one.rows() }, null, 1);
  throw new Error(`${one.done.join('\n')}\n${state}`, { cause });
}

test(
  'whatever an operator writes meanwhile, each line that is paid for works, or its price comes back',
  async () => {
    for (let world = 0; world < size(6, 40); world++) {
      const one = await startWorld(world);
      for (let step = 0; step < size(25, 40); step++) await one.actAny();
      await eventually(() => expectSettled(one.server_id));
      await eventually(() => expectPaidLinesWork(one)).catch((error) => explain(one, error));
      await panel.admin.post(`/api/servers/${one.server_id}/take-over`, {});
      await eventually(() => expectSettled(one.server_id));
      await eventually(() => expectPaidLinesWork(one)).catch((error) => explain(one, error));
      await panel.admin.patch(`/api/servers/${one.server_id}`, { status: 'inactive' });
      await one.close();
    }
    await expectBalancedBooks(panel.services.db);
  },
  size(600_000, 3_600_000),
);
