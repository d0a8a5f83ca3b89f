// @module-tag thorough
import { beforeAll, describe, expect, test } from 'vitest';
import { addOscamServer, startOscamServer } from '../../../testing/card-servers/oscam-server.ts';
import type { TestReply } from '../../../testing/client.ts';
import { previewBulk, requestBulk } from '../../../testing/jobs.ts';
import { newLine } from '../../../testing/lines.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../../testing/panel.ts';

let panel: TestPanel;
let victim: TestAccount;
const taken: string[] = [];
beforeAll(async () => {
  const shop = await startTestShop();
  panel = shop.panel;
  victim = await panel.reseller({ credits: 500 });
  for (let number = 0; number < 70; number++) {
    const name = `hidden${number}`;
    expect((await victim.client.post('/api/lines', newLine(name))).status).toBe(201);
    taken.push(name);
  }
  return shop.stop;
});

const tooMany = [429, 'TOO_MANY_ATTEMPTS'];
const said = ({ status, body }: TestReply) => [status, body.code];
const rowsOf = (names: readonly string[]) =>
  names.map((username) => ({ username, password: 'pw', subscription_months: '1' }));

async function exhaust(try_: (name: string) => Promise<TestReply>, code: string): Promise<void> {
  for (let number = 0; number < 60; number++) {
    expect(said(await try_(taken[number] ?? ''))[1]).toBe(code);
  }
}

describe('who cannot pay is told so, whatever the name', () => {
  test('by a sale and a rename', async () => {
    const poor = await panel.reseller({ credits: 2 });
    const own = await poor.client.post('/api/lines', newLine('poor-own'));
    for (const username of ['hidden1', 'nobodys']) {
      const sale = await poor.client.post('/api/lines', newLine(username));
      expect(said(sale)).toEqual([409, 'INSUFFICIENT_CREDITS']);
      const dated = { username, expiry_date: '2099-01-01' };
      const edit = await poor.client.patch(`/api/lines/${own.body.line.id}`, dated);
      expect(said(edit)).toEqual([409, 'INSUFFICIENT_CREDITS']);
    }
  });

  test('by an account that is to begin with credits', async () => {
    const poor = await panel.reseller({ credits: 2 });
    for (const email of [victim.email, 'nobody-yet@panel.example']) {
      const about = { email, password: 'a good pass phrase', credits: 100 };
      expect(said(await poor.client.post('/api/accounts', about))).toEqual([
        409,
        'INSUFFICIENT_CREDITS',
      ]);
    }
  });
});

describe('names of others that are found count like those of the name check', () => {
  const check = ({ client }: TestAccount, username = 'hidden1') =>
    client.post('/api/lines/check-name', { username });

  test('by refused sales, and nothing is said of a free name then', async () => {
    const curious = await panel.reseller({ credits: 10 });
    const sell = (name: string) => curious.client.post('/api/lines', newLine(name));
    await exhaust(sell, 'USERNAME_EXISTS');
    expect(said(await sell('hidden1'))).toEqual(tooMany);
    expect(said(await sell('nobodys'))).toEqual(tooMany);
    expect(said(await check(curious))).toEqual(tooMany);
    expect(said(await check(victim))[0]).toBe(200);
  });

  test('for all accounts below one together, which keeps that one from nothing', async () => {
    const parent = await panel.reseller({ credits: 10 });
    const [first, second] = [await panel.below(parent), await panel.below(parent)];
    const grandchild = await panel.below(first);
    for (let number = 0; number < 30; number++) {
      expect((await check(first)).body.is_free).toBe(false);
      expect((await check(grandchild)).body.is_free).toBe(false);
    }
    for (const account of [first, second, grandchild, await panel.below(parent)]) {
      expect(said(await check(account))).toEqual(tooMany);
    }
    const rows = rowsOf(['nobodys']);
    const dry = await previewBulk(second.client, { action: 'import', rows });
    expect(dry.items[0]?.error?.code).toBe('TOO_MANY_ATTEMPTS');
    expect(said(await check(parent))[0]).toBe(200);
    expect(said(await check(victim))[0]).toBe(200);
  });

  test('by renames, while other changes go on', async () => {
    const curious = await panel.reseller({ credits: 10 });
    const own = await curious.client.post('/api/lines', newLine('renamed-own'));
    const path = `/api/lines/${own.body.line.id}`;
    await exhaust((username) => curious.client.patch(path, { username }), 'USERNAME_EXISTS');
    expect(said(await curious.client.patch(path, { username: 'nobodys' }))).toEqual(tooMany);
    expect((await curious.client.patch(path, { notes: 'called' })).status).toBe(200);
    expect(said(await check(curious))).toEqual(tooMany);
  });

  test('by a dry run, which says no more beyond the limit', async () => {
    const curious = await panel.reseller({ credits: 10 });
    const rows = rowsOf([...taken, 'nobodys-1']);
    const { items } = await previewBulk(curious.client, { action: 'import', rows });
    const codes = items.map(({ error }) => error?.code);
    expect(codes.slice(0, 60)).toEqual(Array(60).fill('USERNAME_EXISTS'));
    expect(codes.slice(60)).toEqual(Array(11).fill('TOO_MANY_ATTEMPTS'));
    expect(said(await check(curious))).toEqual(tooMany);
    const again = await previewBulk(curious.client, {
      action: 'import',
      rows: rowsOf(['hidden3']),
    });
    expect(again.items[0]?.error?.code).toBe('TOO_MANY_ATTEMPTS');
  });

  test('by imports that are refused', async () => {
    const curious = await panel.reseller({ credits: 10 });
    for (let from = 0; from < 60; from += 20) {
      const rows = rowsOf(taken.slice(from, from + 20));
      const refused = await requestBulk(curious.client, { action: 'import', rows });
      expect(said(refused)).toEqual([422, 'IMPORT_HAS_INVALID_ROWS']);
    }
    expect(said(await check(curious))).toEqual(tooMany);
  });

  test('but not those of one’s own lines, and not for administrators', async () => {
    const file = { action: 'import', rows: rowsOf(taken) };
    for (const client of [victim.client, panel.admin]) {
      for (let time = 0; time < 2; time++) {
        const { items } = await previewBulk(client, file);
        expect(new Set(items.map(({ error }) => error?.code))).toEqual(
          new Set(['LINE_EXISTS_OTHERWISE']),
        );
      }
    }
    expect((await check(victim)).status).toBe(200);
  });
});

test('emails of others are found by 20 refused accounts an hour', async () => {
  const curious = await panel.reseller({ credits: 10 });
  const make = (email: string) =>
    curious.client.post('/api/accounts', { email, password: 'a good pass phrase', credits: 0 });
  for (let time = 0; time < 20; time++) {
    expect(said(await make(victim.email))).toEqual([409, 'EMAIL_EXISTS']);
  }
  expect(said(await make(victim.email))).toEqual(tooMany);
  expect(said(await make('nobody-else@panel.example'))).toEqual(tooMany);
});

test('names of the operator’s that only the card server knows are found by 60 renames', async () => {
  const oscam = await startOscamServer();
  const { id: server_id } = await addOscamServer(panel, oscam);
  for (let number = 0; number < 62; number++) await oscam.edit(`own${number}`, { pwd: 'own' });
  const curious = await panel.reseller({ credits: 10 });
  const sold = await curious.client.post('/api/lines', newLine('probing', { server_id }));
  const path = `/api/lines/${sold.body.line.id}`;
  const rename = (username: string) => curious.client.patch(path, { username });
  let found = 0;
  for (let number = 0; number < 62; number++) {
    const { status, body } = await rename(`own${number}`);
    if (status === 429) break;
    found += status === 200 && body.sync.ok ? 0 : 1;
  }
  expect(found).toBe(60);
  expect(said(await rename('nobodys-2'))).toEqual(tooMany);
  expect(said(await curious.client.post('/api/lines/check-name', { username: 'x' }))).toEqual(
    tooMany,
  );
  await oscam.stop();
});
