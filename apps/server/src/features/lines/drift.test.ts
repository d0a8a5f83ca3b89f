import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { type FaultName, faults, startFaultyServer } from '../../testing/faulty-server.ts';
import { expectBalancedBooks } from '../../testing/ledger.ts';
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
/** Few names, so that they are often deleted and sold again on both servers. */
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

/** Lines that the panel wants on a server: name, password and expiry date. */
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
