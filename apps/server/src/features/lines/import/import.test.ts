import { addDays, addMonths } from '@linekeeper/contract/dates.ts';
import papaparse from 'papaparse';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { dumpText, dumpWithoutJobs } from '../../../testing/database/dump.ts';
import { eventually } from '../../../testing/eventually.ts';
import { effects, previewBulk, readJob, requestBulk, runBulk } from '../../../testing/jobs.ts';
import { expectBalancedBooks } from '../../../testing/ledger/ledger.ts';
import { newLine, readServerFiles } from '../../../testing/lines.ts';
import { holdChecks } from '../../../testing/loops.ts';
import {
  databases,
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

const sound = (username: string, more: object = {}) => ({
  username,
  password: `secret-of-${username}`,
  subscription_months: '1',
  ...more,
});

describe.each(databases)('an import on %s', (kind) => {
  let panel: TestPanel;
  let agent: Awaited<ReturnType<typeof startTestAgent>>;
  let seller: TestAccount;
  beforeAll(async () => {
    agent = await startTestAgent();
    panel = await startTestPanel(kind);
    await holdChecks(panel.services.db);
    await panel.addServer(agent.url, 'Frankfurt 1');
    await panel.admin.post('/api/servers', {
      server_name: 'Closed',
      host_ip: '127.0.0.1',
      port: 12000,
      username: 'panel',
      password: 'pw',
    });
    seller = await panel.reseller({ credits: 100 });
    await seller.client.post('/api/lines', newLine('taken'));
  });
  afterEach(() => expectBalancedBooks(panel.services.db));
  afterAll(async () => {
    await panel?.stop();
    await agent?.close();
  });

  const balance = async () => (await seller.client.get('/api/me')).body.credits;
  const rows = () => [
    sound('first', {
      subscription_months: ' 12 ',
      server: 'frankfurt 1',
      notes: "'=1+1",
      added_date: '01-01-2020',
    }),
    sound('trial', {
      subscription_months: '',
      is_trial: 'Yes',
      host_port: 'a.example:1|b.example:2',
    }),
    sound('taken'),
    sound('first'),
    sound('no-password', { password: '' }),
    sound('no-term', { subscription_months: '' }),
    sound('bad-months', { subscription_months: '7' }),
    sound('bad-number', { subscription_months: 'one' }),
    sound('bad-server', { server: 'Nowhere' }),
    sound('closed-server', { server: 'Closed' }),
    sound('dated', { subscription_months: '', expiry_date: '31-12-2020' }),
    sound('a b'),
    sound('bad-mail', { email: 'no mail' }),
  ];
  const reasons = [
    null,
    null,
    [null, 'LINE_EXISTS_OTHERWISE', 'This line already exists. Fields that differ: password'],
    ['username', 'DUPLICATE_IN_FILE', 'The same username is in row 1'],
    ['password', 'USERNAME_AND_PASSWORD_REQUIRED', 'Username and password are required'],
    ['subscription_months', 'TRIAL_OR_SUBSCRIPTION', 'Choose a trial or a duration'],
    ['subscription_months', 'INVALID_SUBSCRIPTION_MONTHS', 'Choose a duration that is offered'],
    ['subscription_months', 'INVALID_SUBSCRIPTION_MONTHS', 'Choose a duration that is offered'],
    ['server', 'SERVER_NOT_FOUND', 'Server not found'],
    [null, 'NO_ACTIVE_SERVERS', 'No active servers available'],
    [
      'expiry_date',
      'INVALID_EXPIRY_DATE',
      'Invalid expiry date format. Expected DD-MM-YYYY format.',
    ],
    [
      'username',
      'INVALID_LINE_USERNAME',
      'The username contains a character that card servers do not accept: space',
    ],
    ['email', 'INVALID_EMAIL', 'Enter a valid email address'],
  ];

  test('says of every row what it would be, or why it cannot, and stores nothing', async () => {
    const before = await dumpWithoutJobs(panel.services.db);
    const preview = await previewBulk(seller.client, { action: 'import', rows: rows() });
    expect(await dumpWithoutJobs(panel.services.db)).toEqual(before);
    expect(preview).toMatchObject({ total: 13, skipped: 11, cost: 10, credits: 98 });
    expect(
      preview.items.map(({ error }) => error && [error.field, error.code, error.message]),
    ).toEqual(reasons);
    expect(preview.items.map(({ position }) => position)).toEqual(rows().map((_, at) => at + 1));
    const today = panel.services.today();
    expect(preview.items[0]).toMatchObject({
      cost: 10,
      after: { expiry_date: addMonths(today, 12) },
    });
    expect(preview.items[1]).toMatchObject({ cost: 0, after: { expiry_date: addDays(today, 2) } });
    expect(JSON.stringify(preview)).not.toContain('secret-of');
  });

  test('says of a line that is there what differs, to whoever sees the line', async () => {
    const { password } = newLine('taken');
    const { items } = (await panel.admin.get('/api/lines?q=taken')).body;
    const { expiry_date } = items[0];
    const [year, month, day] = expiry_date.split('-');
    const same = { subscription_months: '', expiry_date: `${day}-${month}-${year}`, password };
    const told = async (client: TestPanel['admin'], more: object) => {
      const rows = [sound('taken', { ...same, ...more })];
      const [item] = (await previewBulk(client, { action: 'import', rows })).items;
      return item?.error?.message;
    };
    for (const client of [panel.admin, seller.client]) {
      expect(await told(client, {})).toBe('This line already exists');
      expect(await told(client, { server: 'Frankfurt 1' })).toBe('This line already exists');
      expect(await told(client, { password: 'other', expiry_date: '31-12-2098' })).toBe(
        'This line already exists. Fields that differ: password, expiry',
      );
      expect(await told(client, { is_suspended: 'true' })).toBe(
        'This line already exists. Fields that differ: status',
      );
      expect(await told(client, { server: 'Closed' })).toBe(
        'This line already exists on Frankfurt 1',
      );
    }
    expect(await told(panel.admin, { owner: 'nobody@panel.example' })).toBe(
      'This line already exists. Fields that differ: owner',
    );
    // For a line of another account, the preview reveals only that its name is in use.
    const other = await panel.reseller({ credits: 100 });
    for (const more of [{}, { password: 'other' }, { server: 'Closed' }]) {
      expect(await told(other.client, more)).toBe(
        'Username already exists. Please choose a different username.',
      );
    }
  });

  test('refuses names that would not show as what they are', async () => {
    const unfit = [sound('\u0301'), sound('J\ufffdrgen'), sound('anna', { name: '\u20dd' })];
    const preview = await previewBulk(seller.client, { action: 'import', rows: unfit });
    expect(preview.items.map(({ error }) => error && [error.field, error.code])).toEqual(
      ['username', 'username', 'name'].map((field) => [field, 'HIDDEN_LETTERS']),
    );
  });

  test('does nothing where a row is invalid, and all valid rows where that is asked for', async () => {
    const refused = await requestBulk(seller.client, { action: 'import', rows: rows() });
    expect([refused.status, refused.body.message]).toEqual([
      422,
      '11 rows are invalid. Nothing was imported.',
    ]);
    expect(await balance()).toBe(98);
    const preview = await previewBulk(seller.client, { action: 'import', rows: rows() });
    const request = { action: 'import', rows: rows(), only_valid: true };
    const { body } = await requestBulk(seller.client, request);
    expect(await dumpText(panel.services.db)).not.toContain('secret-of');
    const job = await eventually(async () => {
      const read = await readJob(seller.client, body.job.id);
      expect(read.state).toBe('done');
      return read;
    });
    expect(job).toMatchObject({ done: 2, skipped: 11, failed: 0, cost: 10, credits: 88 });
    expect(effects(job)).toEqual(effects(preview));
    expect(job.items.map(({ error }) => error && [error.field, error.code, error.message])).toEqual(
      reasons,
    );
    const { body: list } = await seller.client.get('/api/lines?q=first');
    expect(list.items).toMatchObject([{ notes: '=1+1', subscription_months: 12 }]);
    const { body: trials } = await seller.client.get('/api/lines?q=trial');
    expect(trials.items).toMatchObject([
      { is_trial: true, host_port: ['a.example:1', 'b.example:2'] },
    ]);
    await eventually(async () =>
      expect((await readServerFiles(agent)).cccam).toContain('F: first secret-of-first'),
    );
    const { db } = panel.services;
    const kept = db.selectFrom('job_items').select('input').where('input', 'is not', null);
    expect(await kept.execute()).toEqual([]);
  });

  test('names rows as they are numbered in the file', async () => {
    const row = sound('numbered');
    const request = { action: 'import', rows: [row, row], row_numbers: [2, 5] };
    const preview = await previewBulk(seller.client, request);
    expect(preview.items.map(({ position, error }) => [position, error?.message])).toEqual([
      [2, undefined],
      [5, 'The same username is in row 2'],
    ]);
    const job = await runBulk(seller.client, { ...request, only_valid: true });
    expect(job.items.map(({ position, state }) => [position, state])).toEqual([
      [2, 'done'],
      [5, 'skipped'],
    ]);
    for (const row_numbers of [[2], [5, 2], [2, 2]]) {
      const refused = await requestBulk(seller.client, { ...request, row_numbers });
      expect([refused.status, refused.body.fields]).toEqual([
        422,
        { row_numbers: 'Invalid value' },
      ]);
    }
  });

  test('that cannot be paid any more imports nothing and says so of every row', async () => {
    const poor = await panel.reseller({ credits: 5 });
    const many = (prefix: string) => ({
      action: 'import',
      rows: [sound(`${prefix}-a`), sound(`${prefix}-b`)],
    });
    const tooMany = { action: 'import', rows: [sound('x-a'), sound('x-b'), sound('x-c')] };
    const hopeless = await requestBulk(poor.client, tooMany);
    expect(hopeless.body.message).toBe('Insufficient credits. Required: 6, Available: 5');
    // Both requests are valid, but the balance is enough for only one.
    const ids = await Promise.all(
      ['left', 'right'].map(
        async (name) => (await requestBulk(poor.client, many(name))).body.job?.id,
      ),
    );
    const jobs = await Promise.all(
      ids.filter(Boolean).map((id) =>
        eventually(async () => {
          const job = await readJob(poor.client, id);
          expect(job.state).toBe('done');
          return job;
        }),
      ),
    );
    expect(jobs.filter(({ done }) => done === 2)).toHaveLength(1);
    for (const job of jobs.filter(({ done }) => done !== 2)) {
      expect(job).toMatchObject({ done: 0, failed: 2, cost: 0 });
      for (const { error } of job.items) {
        expect(error?.message).toBe('Insufficient credits. Required: 4, Available: 1');
      }
    }
    expect((await poor.client.get('/api/lines/counts')).body.all).toBe(2);
  });

  test('takes what an export wrote, formulas and all', async () => {
    const texts = {
      name: '=HYPERLINK("x")',
      company: '@sum',
      notes: '-1+1',
      info: '+49',
      user_value: "'=1",
    };
    const { body } = await seller.client.post('/api/lines', newLine('-minus', texts));
    const job = await runBulk(seller.client, { action: 'export', ids: [body.line.id] });
    const csv = await seller.client.get(`/api/jobs/${job.id}/csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe(
      `attachment; filename="lines-${panel.services.today()}.csv"`,
    );
    expect(csv.body).not.toContain('pw--minus');
    const { data } = papaparse.parse<Record<string, string>>(csv.body, { header: true });
    const [row = {}] = data;
    for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    expect((await seller.client.delete(`/api/lines/${body.line.id}`)).status).toBe(200);
    const { expiry_date: _, ...again } = { ...row, password: 'again' } as Record<string, string>;
    const imported = await runBulk(seller.client, { action: 'import', rows: [again] });
    expect(imported.items.map(({ error }) => error)).toEqual([null]);
    const line = await seller.client.get(`/api/lines/${imported.items[0]?.line_id}`);
    expect(line.body).toMatchObject({ username: '-minus', ...texts });
  });
});
