// @module-tag thorough
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { sql } from 'kysely';
import papaparse from 'papaparse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runBulk } from '../../../testing/jobs.ts';
import { storeLines } from '../../../testing/lines.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

const PATH = '/api/lines/csv';

const parse = (text: string) =>
  papaparse.parse<Record<string, string>>(text.replace(/^\ufeff/, ''), {
    header: true,
    skipEmptyLines: true,
  }).data;

async function addServer(panel: TestPanel): Promise<string> {
  const { body } = await panel.admin.post('/api/servers', {
    server_name: 'One',
    host_ip: '10.1.2.3',
    port: 12000,
    username: 'panel',
    password: 'secret',
  });
  return body.server.id;
}

describe.each(databases)('the lines as a file on %s', (kind) => {
  let panel: TestPanel;
  let server: string;
  let seller: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    server = await addServer(panel);
    seller = await panel.reseller({ credits: 0 });
    const below = await panel.reseller({ credits: 0 });
    const { db } = panel.services;
    await db
      .updateTable('auth_users')
      .set({ owner_id: seller.id })
      .where('id', '=', below.id)
      .execute();
    const stranger = await panel.reseller({ credits: 0 });
    await storeLines(db, seller.id, server, [
      { username: 'anna', notes: '=1+1', name: 'A "quoted", name' },
      { username: 'bolek', status: JSON.stringify([{ label: 'suspended', color: 'error' }]) },
    ]);
    await storeLines(db, below.id, server, [{ username: 'carla', notes: '@SUM(A1)\ntwo' }]);
    await storeLines(db, stranger.id, server, [{ username: 'foreign' }]);
  });
  afterAll(() => panel?.stop());

  const names = async (query: string, client = seller.client) =>
    parse((await client.get(`${PATH}?${query}`)).body).map(({ username }) => username);

  test('comes with one call, under a name, without passwords and as text to a spreadsheet', async () => {
    const { status, headers, body } = await seller.client.get(`${PATH}?sort=username`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="lines-${panel.services.today()}.csv"`,
    );
    expect(body).not.toContain('never read');
    const [anna, , carla] = parse(body);
    expect(anna).toMatchObject({
      username: 'anna',
      server: 'One',
      notes: "'=1+1",
      name: 'A "quoted", name',
      status: 'active',
    });
    expect(carla?.notes).toBe("'@SUM(A1)\ntwo");
    expect((await panel.admin.get('/api/jobs')).body.items).toEqual([]);
  });

  test('holds what the list finds, in its order, and no line of others', async () => {
    expect(await names('sort=username')).toEqual(['anna', 'bolek', 'carla']);
    expect(await names('sort=-username&status=active,suspended')).toEqual([
      'carla',
      'bolek',
      'anna',
    ]);
    expect(await names('status=suspended')).toEqual(['bolek']);
    expect(await names('q=nobody')).toEqual([]);
    expect(await names('sort=username', panel.admin)).toEqual([
      'anna',
      'bolek',
      'carla',
      'foreign',
    ]);
  });

  test('is for sellers alone, and has no pages', async () => {
    expect((await panel.anonymous().get(PATH)).status).toBe(401);
    expect((await seller.client.get(`${PATH}?limit=1`)).status).toBe(422);
    expect((await seller.client.get(`${PATH}?cursor=x`)).status).toBe(422);
  });
});

test('the plan is a column where there are several, and a file comes back to the same plans', async () => {
  const panel = await startTestPanel();
  try {
    const server = await addServer(panel);
    const { admin } = panel;
    const { id: seller } = await panel.reseller({ credits: 0 });
    const sold = ['anna', 'bolek', 'carla'].map((username) => ({ username }));
    const ids = await storeLines(panel.services.db, seller, server, sold);
    const read = async () => parse((await admin.get(`${PATH}?sort=username`)).body);
    expect(Object.keys((await read())[0] ?? {})).not.toContain('plan');

    const terms = [{ months: 1, credits: 5 }];
    const made = [];
    for (const name of ['=Sport', 'Cinema', 'cinema']) {
      made.push((await admin.post('/api/plans', { name, terms })).body.plan.id);
    }
    const [sport, cinema] = made;
    await admin.patch(`/api/lines/${ids[0]}`, { plan_id: sport });
    await admin.patch(`/api/lines/${ids[1]}`, { plan_id: cinema });
    const file = await read();
    // A name that two plans have would be ambiguous in the file.
    expect(file.map(({ plan }) => plan)).toEqual(["'=Sport", cinema, 'Standard']);

    await panel.services.db.updateTable('cccam_servers').set({ status: 'active' }).execute();
    const rows = file.map(({ username, expiry_date, plan }) => {
      return { username: `${username}2`, password: 'pw', expiry_date, plan };
    });
    const job = await runBulk(admin, { action: 'import', rows });
    expect(job.items.map(({ after }) => after?.plan_id)).toEqual([sport, cinema, STANDARD_PLAN]);
    const results = parse((await admin.get(`/api/jobs/${job.id}/csv`)).body);
    expect(results.map(({ plan_id_after }) => plan_id_after)).toEqual([
      sport,
      cinema,
      STANDARD_PLAN,
    ]);
    const exported = await runBulk(admin, { action: 'export', ids });
    const rowsOfJob = parse((await admin.get(`/api/jobs/${exported.id}/csv`)).body);
    expect(rowsOfJob.map(({ plan }) => plan)).toEqual(["'=Sport", cinema, 'Standard']);
  } finally {
    await panel.stop();
  }
});

describe('a file of many lines', () => {
  const LINES = 6000;
  let panel: TestPanel;
  let seller: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel();
    const server = await addServer(panel);
    seller = await panel.reseller({ credits: 0 });
    const { db } = panel.services;
    for (let from = 0; from < LINES; from += 1000) {
      const rows = Array.from({ length: 1000 }, (_, index) => ({
        username: `line-${String(from + index).padStart(5, '0')}`,
        notes: 'x'.repeat(3000),
      }));
      await storeLines(db, seller.id, server, rows);
    }
  });
  afterAll(() => panel?.stop());

  /** Requests the file without reading it yet. */
  async function openFile(): Promise<IncomingMessage> {
    const headers = { cookie: seller.client.cookie };
    const asked = request(`${panel.url}${PATH}?sort=username`, { headers, agent: false }).end();
    asked.on('error', () => {});
    const [reply] = (await once(asked, 'response')) as [IncomingMessage];
    reply.on('error', () => {});
    return reply;
  }

  test('has each line once, and is made while it is read: memory holds no more', async () => {
    const whole = parse((await seller.client.get(`${PATH}?sort=username`)).body);
    expect(new Set(whole.map(({ username }) => username)).size).toBe(LINES);
    expect(whole).toHaveLength(LINES);

    const reply = await openFile();
    expect(reply.statusCode).toBe(200);
    // The client reads nothing yet, so the rows deleted here have not been read from the database.
    await sql`delete from users where username >= 'line-05500'`.execute(panel.services.db);
    const chunks: Buffer[] = [];
    for await (const chunk of reply) chunks.push(chunk);
    expect(parse(Buffer.concat(chunks).toString())).toHaveLength(5500);
  });

  test('that nobody reads holds up further files of the account, and no page', async () => {
    const open = await Promise.all([openFile(), openFile()]);
    const refused = await Promise.race(Array.from({ length: 13 }, openFile));
    expect(refused.statusCode).toBe(429);
    expect((await seller.client.get('/api/lines?limit=1')).status).toBe(200);
    for (const reply of open) reply.destroy();
  });
});
