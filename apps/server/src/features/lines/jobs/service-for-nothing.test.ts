// @module-tag thorough
import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { addDays, monthsBetween } from '@linekeeper/contract/dates.ts';
import { firstPrices, worthOfMonths } from '@linekeeper/contract/pricing.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { jobEnd } from '../../../testing/jobs.ts';
import { expectBalancedBooks } from '../../../testing/ledger/ledger.ts';
import { newLine } from '../../../testing/lines.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../../testing/panel.ts';
import { isSoak, size } from '../../../testing/size.ts';
import { renewDue } from '../auto-renewal/renew-due.ts';

/** The number of delivered lines that one subtree may undo in a day. */
const LIMIT = 2;

vi.setConfig({ testTimeout: isSoak ? 3_600_000 : 300_000 });

let panel: TestPanel;
let stop: () => Promise<void>;
/** Id of a plan that costs more than Standard. */
let dear: string;
const dearPrices = [
  { months: 1, cost: 5 },
  { months: 12, cost: 30 },
];
beforeAll(async () => {
  const shop = await startTestShop('postgres');
  panel = shop.panel;
  stop = shop.stop;
  await panel.admin.patch('/api/settings', { undo_daily_limit: LIMIT });
  const terms = dearPrices.map(({ months, cost }) => ({ months, credits: cost }));
  // The servers of the second plan. Its lines are delivered, so that an undo of one counts as an undo of a served line.
  const servers = [
    { server_id: shop.serverId, cccam: { uphops: 3, shareemus: true, allowemm: true } },
  ];
  const { body } = await panel.admin.post('/api/plans', { name: 'Dear', terms, servers });
  dear = body.plan.id;
});
afterAll(async () => {
  await expectBalancedBooks(panel.services.db);
  await stop();
});

const acts = [
  ...['sell', 'import', 'trial', 'undo', 'undo', 'delete', 'suspend', 'resume', 'renew'],
  ...['to_dear', 'to_standard', 'change_plan_of_all', 'plan_by_admin'],
  ...['code', 'activate', 'activate', 'refund_code', 'renew_itself', 'dearer_list', 'no_list'],
];
const step = fc.record({
  act: fc.constantFrom(...acts),
  isBelow: fc.boolean(),
  name: fc.nat(2),
  months: fc.constantFrom(1, 12),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

let sequences = 0;

/** One reseller and an account below it, which try to gain service for free within an hour. */
class Attempt {
  readonly #names: string[];
  readonly #jobs: string[] = [];
  readonly #lines: string[] = [];
  /** Activation codes, the latest last. */
  readonly #codes: { id: string; code: string; client: TestAccount['client'] }[] = [];
  /** Lines whose plan an administrator changed free of charge. */
  readonly #given = new Set<string>();
  readonly #accounts: [TestAccount, TestAccount];

  /** A list by which the account below pays twice the price. */
  readonly #dearer: string;

  constructor(top: TestAccount, below: TestAccount, dearer: string) {
    this.#accounts = [top, below];
    this.#dearer = dearer;
    const number = sequences++;
    this.#names = [0, 1, 2].map((name) => `nothing${number}-${name}`);
  }

  async #import({ client }: TestAccount, name: string, months: number): Promise<void> {
    const rows = ['', 'x', 'y'].map((more) => ({
      ...{ username: name + more, password: 'pw', subscription_months: String(months) },
    }));
    const { body } = await client.post('/api/lines/bulk', { action: 'import', rows });
    if (!body.job) return;
    const job = await jobEnd(client, body.job.id);
    this.#jobs.push(job.id ?? '');
    this.#lines.push(...job.items.flatMap(({ line_id }) => line_id ?? []));
  }

  async #sell({ client }: TestAccount, line: object): Promise<void> {
    const { body } = await client.post('/api/lines', line);
    if (body.line) this.#lines.push(body.line.id);
    if (body.job_id) this.#jobs.push(body.job_id);
  }

  /** Makes a code of one of the plans. */
  async #makeCode({ client }: TestAccount, months: number): Promise<void> {
    const plan_id = this.#codes.length % 2 ? dear : STANDARD_PLAN;
    const { body } = await client.post('/api/activation-codes', { plan_id, months });
    if (body.codes) this.#codes.push({ ...body.codes[0], client });
  }

  async #activate(username: string): Promise<void> {
    const made = this.#codes.at(-1);
    if (!made) return;
    const wanted = { code: made.code, username, password: 'pw' };
    const { status } = await panel.anonymous().post('/api/activate', wanted);
    if (status !== 201) return;
    const { items } = (await made.client.get('/api/activation-codes')).body;
    this.#lines.push(items.find(({ id }: { id: string }) => id === made.id).line_id);
    this.#jobs.push((await made.client.get('/api/jobs')).body.items[0].id);
  }

  /** Two panels renew the line at the same time, on a day that came early or late. */
  async #renewItself({ client }: TestAccount, line: string, months: number): Promise<void> {
    await client.send('PUT', `/api/lines/${line}/auto-renew`, { months });
    const { body } = await client.get(`/api/lines/${line}`);
    if (!body.expiry_date) return;
    const day = addDays(body.expiry_date, -1);
    const renew = () => renewDue(panel.services, day, () => false);
    await Promise.all([renew(), renew()]);
  }

  async take({ act, isBelow, name: index, months }: Step): Promise<void> {
    const account = this.#accounts[isBelow ? 1 : 0];
    const { client } = account;
    const name = this.#names[index] ?? '';
    const line = this.#lines.at(-1) ?? crypto.randomUUID();
    const job = this.#jobs.at(-1);
    if (act === 'sell') await this.#sell(account, newLine(name, { subscription_months: months }));
    if (act === 'trial') {
      const trial = { is_trial: true, subscription_months: undefined };
      await this.#sell(account, newLine(name, trial));
    }
    if (act === 'import') await this.#import(account, name, months);
    if (act === 'delete') await client.delete(`/api/lines/${line}`);
    if (act === 'suspend' || act === 'resume') await client.post(`/api/lines/${line}/${act}`, {});
    if (act === 'renew') {
      const { body } = await client.post(`/api/lines/${line}/renew`, {
        subscription_months: months,
      });
      if (body.job_id) this.#jobs.push(body.job_id);
    }
    if (act === 'to_dear' || act === 'to_standard') {
      const plan_id = act === 'to_dear' ? dear : STANDARD_PLAN;
      const { body } = await client.post(`/api/lines/${line}/change-plan`, { plan_id });
      if (body.job_id) this.#jobs.push(body.job_id);
    }
    if (act === 'change_plan_of_all' && this.#lines.length > 0) {
      const plan_id = months === 1 ? dear : STANDARD_PLAN;
      const request = { action: 'change_plan', ids: this.#lines, plan_id };
      const { body } = await client.post('/api/lines/bulk', request);
      if (body.job) this.#jobs.push((await jobEnd(client, body.job.id)).id ?? '');
    }
    if (act === 'plan_by_admin') {
      const plan_id = months === 1 ? dear : STANDARD_PLAN;
      const { status } = await panel.admin.patch(`/api/lines/${line}`, { plan_id });
      if (status === 200) this.#given.add(line);
    }
    if (act === 'code') await this.#makeCode(account, months);
    if (act === 'activate') await this.#activate(name);
    const code = this.#codes.at(-1);
    if (act === 'refund_code' && code) {
      await Promise.all([
        code.client.delete(`/api/activation-codes/${code.id}`),
        this.#activate(name),
        code.client.delete(`/api/activation-codes/${code.id}`),
      ]);
    }
    if (act === 'renew_itself') await this.#renewItself(account, line, months);
    if (act === 'dearer_list' || act === 'no_list') {
      const price_list_id = act === 'no_list' ? null : this.#dearer;
      const [top, below] = this.#accounts;
      await top.client.patch(`/api/accounts/${below.id}`, { price_list_id });
    }
    if (act === 'undo' && job) {
      const { status, body } = await client.post(`/api/jobs/${job}/undo`);
      if (status === 200) await jobEnd(client, body.job.id);
    }
    await this.#delivered();
  }

  /** Waits until all wanted lines are on the server, so that they count as used. */
  #delivered(): Promise<void> {
    return eventually(async () => {
      const { rows } = await sql`select from server_accounts
        where username like ${`${this.#names[0]?.slice(0, -1)}%`}
          and synced_revision <> revision`.execute(panel.services.db);
      expect(rows).toEqual([]);
    });
  }

  /** Expects that the payments for each line, less refunds, are at least the worth of its days in its plan. */
  async expectWorth(): Promise<void> {
    const { rows } = await sql<{ plan_id: string; expiry_date: string; paid: number }>`
      select plan_id, expiry_date::text, (
          select coalesce(sum(case kind when 'refund' then -amount else amount end), 0)::integer
            from credit_transfers where line_id = line.id) as paid
        from users line where id = any(${this.#lines}::uuid[]) and not is_trial
          and not (id = any(${[...this.#given]}::uuid[]))`.execute(panel.services.db);
    for (const { plan_id, expiry_date, paid } of rows) {
      const months = monthsBetween(panel.services.today(), expiry_date);
      const prices = plan_id === dear ? dearPrices : firstPrices;
      expect(paid).toBeGreaterThanOrEqual(worthOfMonths(months, prices) - 1e-6);
    }
  }

  /** Expects that all served lines are paid, except those that were undone within the limit of the day. */
  async expectPaid(): Promise<void> {
    const { rows } = await sql<{ unpaid: number; tried: number; names: number }>`
      with served as (
        select distinct line_id, username from line_pushes
          where line_id = any(${this.#lines}::uuid[]) and ok and operation = 'add'
      ), paid as (
        select line_id, exists (select from credit_transfers given
              join jobs on jobs.id = given.job_id and action = 'undo'
            where given.refund_of = sale.id) as is_refunded
          from credit_transfers sale
          where kind in ('sale', 'renewal') and line_id in (select line_id from served)
      ), tried as (
        select * from served where line_id not in (select line_id from paid)
      )
      select (select count(*)::integer from paid where is_refunded) as unpaid,
        (select count(*)::integer from tried) as tried,
        (select count(distinct username)::integer from tried) as names`.execute(panel.services.db);
    const [{ unpaid, tried, names } = { unpaid: LIMIT + 1, tried: 1, names: 0 }] = rows;
    expect(unpaid).toBeLessThanOrEqual(LIMIT);
    // Each name had at most one trial.
    expect(tried).toBe(names);
  }
}

test('no more lines than may be undone in a day are on a server for nothing, whatever is tried in turn', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 2, maxLength: 6 }),
    async (steps) => {
      const top = await panel.reseller({ credits: 100 });
      const below = await panel.below(top, { credits: 50 });
      const { body } = await top.client.post('/api/price-lists', { name: 'Dearer', factor: 2 });
      const attempt = new Attempt(top, below, body.price_list.id);
      for (const one of steps) await attempt.take(one);
      await attempt.expectPaid();
      await attempt.expectWorth();
    },
  );
  const twice = ['import', 'undo', 'import', 'undo', 'import', 'undo'].map((act, index) => ({
    ...{ act, isBelow: index > 1, name: Math.floor(index / 2), months: 12 },
  }));
  const tried = ['trial', 'delete', 'trial', 'delete', 'trial', 'delete'].map((act, index) => ({
    ...{ act, isBelow: index > 2, name: 0, months: 1 },
  }));
  const changed = [
    ['sell', 'to_dear', 'to_standard', 'renew', 'undo', 'undo'],
    ['sell', 'to_dear', 'undo', 'to_dear', 'undo', 'to_dear', 'undo'],
    ['sell', 'to_dear', 'renew', 'to_standard', 'undo', 'undo'],
    ['import', 'change_plan_of_all', 'undo', 'plan_by_admin', 'to_standard', 'to_dear'],
    ['code', 'activate', 'to_dear', 'to_standard', 'undo', 'refund_code'],
    ['code', 'refund_code', 'activate', 'renew_itself', 'undo', 'undo'],
  ];
  const inTurn = (act: string): Step => ({ act, isBelow: false, name: 0, months: 1 });
  await fc.assert(property, {
    numRuns: size(10, 2000),
    seed: isSoak ? Date.now() % 2 ** 31 : 1,
    examples: [[twice], [tried], ...changed.map((acts): [Step[]] => [acts.map(inTurn)])],
  });
});
