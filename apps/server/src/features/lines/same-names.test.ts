// @module-tag thorough
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { previewBulk, runBulk } from '../../testing/jobs.ts';
import { newLine, readServerFiles, storeLines } from '../../testing/lines.ts';
import {
  databases,
  startTestShop,
  type TestAccount,
  type TestAgent,
  type TestPanel,
} from '../../testing/panel.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

/** The same name with a combining accent and with a precomposed letter. */
const twins = (name: string): [decomposed: string, composed: string] => [
  `${name}e\u0301`,
  `${name}\u00e9`,
];

describe.each(databases)('names that look the same on %s', (kind) => {
  let panel: TestPanel;
  let agent: TestAgent;
  let seller: TestAccount;
  let server: string;
  beforeAll(async () => {
    const shop = await startTestShop(kind);
    ({ panel, agent, serverId: server } = shop);
    seller = await panel.reseller({ credits: 500 });
    return shop.stop;
  });
  const sell = (name: string) =>
    seller.client.post('/api/lines', newLine(name, { password: 'pw' }));

  test('are one line, stored and delivered in normal form', async () => {
    const [decomposed, composed] = twins('sold');
    const { status, body } = await sell(decomposed);
    expect([status, body.line.username]).toEqual([201, composed]);
    for (const name of [composed, decomposed]) {
      expect(await sell(name)).toMatchObject({ status: 409, body: { code: 'USERNAME_EXISTS' } });
    }
    const { oscam } = await readServerFiles(agent);
    expect(oscam).toContain(composed);
    expect(oscam).not.toContain(decomposed);
  });

  test('are found by either way of writing them', async () => {
    const [decomposed, composed] = twins('found');
    await sell(composed);
    for (const q of [decomposed, composed, 'd\u0065\u0301', 'd\u00e9']) {
      const { body } = await seller.client.get(`/api/lines?q=${encodeURIComponent(q)}`);
      const isPrefix = q.length < 3 || q.normalize('NFC').length < 3;
      expect(body.items.map(({ username }: { username: string }) => username)).toEqual(
        isPrefix ? [] : [composed],
      );
    }
  });

  test('cannot be reached by a new name', async () => {
    const [decomposed, composed] = twins('renamed');
    await sell(composed);
    const { body } = await sell('another-one');
    const rename = (username: string) =>
      seller.client.patch(`/api/lines/${body.line.id}`, { username });
    expect(await rename(decomposed)).toMatchObject({
      status: 409,
      body: { code: 'USERNAME_EXISTS' },
    });
    const [other, normal] = twins('renamed-freely');
    expect((await rename(other)).body.line.username).toBe(normal);
  });

  test('are one row of a file', async () => {
    const [decomposed, composed] = twins('filed');
    const [taken] = twins('taken');
    await sell(taken);
    const row = (username: string) => ({ username, password: 'pw', subscription_months: '1' });
    const file = {
      action: 'import',
      rows: [row(decomposed), row(composed), row(taken)],
      only_valid: true,
    };
    const preview = await previewBulk(seller.client, file);
    expect(preview.items.map(({ username, error }) => [username, error?.code])).toEqual([
      [composed, undefined],
      [composed, 'DUPLICATE_IN_FILE'],
      [taken.normalize('NFC'), 'LINE_EXISTS'],
    ]);
    expect(await runBulk(seller.client, file)).toMatchObject({ done: 1, skipped: 2 });
  });

  test('sold at once are sold once', async () => {
    const [decomposed, composed] = twins('raced');
    const replies = await Promise.all([decomposed, composed, decomposed, composed].map(sell));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  test('kept from before stay as their server knows them, until they are renamed', async () => {
    const [decomposed, composed] = twins('old');
    const { db } = panel.services;
    const [id = ''] = await storeLines(db, seller.id, server, [{ username: decomposed }]);
    expect(await sell(composed)).toMatchObject({ status: 409, body: { code: 'USERNAME_EXISTS' } });
    for (const username of [decomposed, composed]) {
      const same = await seller.client.patch(`/api/lines/${id}`, { username, notes: 'seen' });
      expect([same.status, same.body.line.username]).toEqual([200, decomposed]);
    }
    const other = await seller.client.patch(`/api/lines/${id}`, { username: 'old-renamed' });
    expect(other.body.line.username).toBe('old-renamed');
    expect((await sell(composed)).status).toBe(201);
    await eventually(async () =>
      expect((await readServerFiles(agent)).oscam).not.toContain(decomposed),
    );
  });
});
