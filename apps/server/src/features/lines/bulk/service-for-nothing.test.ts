// @module-tag thorough
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { jobEnd, undoBulk } from '../../../testing/jobs.ts';
import { expectBalancedBooks } from '../../../testing/ledger.ts';
import { newLine } from '../../../testing/lines.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../../testing/panel.ts';
import { isSoak, size } from '../../../testing/size.ts';

vi.setConfig({ testTimeout: isSoak ? 3_600_000 : 300_000 });

let panel: TestPanel;
let stop: () => Promise<void>;
beforeAll(async () => {
  const shop = await startTestShop('postgres');
  panel = shop.panel;
  stop = shop.stop;
});
afterAll(async () => {
  await expectBalancedBooks(panel.services.db);
  await stop();
});

const acts = ['sell', 'import', 'trial', 'undo', 'undo', 'delete', 'suspend', 'resume', 'renew'];
const step = fc.record({
  act: fc.constantFrom(...acts),
  isBelow: fc.boolean(),
  name: fc.nat(2),
  months: fc.constantFrom(1, 12),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

let sequences = 0;

/** One reseller and an account below it, who try what they can within the hour. */
class Attempt {
  readonly #names: string[];
  readonly #jobs: string[] = [];
  readonly #lines: string[] = [];
  readonly #accounts: [TestAccount, TestAccount];

  constructor(top: TestAccount, below: TestAccount) {
    this.#accounts = [top, below];
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
    if (act === 'undo' && job) {
      const can = (await client.get(`/api/jobs/${job}`)).body.can_undo;
      if (can) await undoBulk(client, job);
    }
    await this.#delivered();
  }

  /** All that is wanted is on the server, so that it counts as used. */
  #delivered(): Promise<void> {
    return eventually(async () => {
      const { rows } = await sql`select from server_accounts
        where username like ${`${this.#names[0]?.slice(0, -1)}%`}
          and synced_revision <> revision`.execute(panel.services.db);
      expect(rows).toEqual([]);
    });
  }

  /** Per line that was sold and was on the server, a thirtieth of a month's price is paid for. */
  async expectPaid(): Promise<void> {
    const ids = this.#accounts.map(({ id }) => id);
    const { rows } = await sql<{ spent: number; used: number; tried: number; names: number }>`
      with moved as (
        select * from credit_transfers where kind in ('sale', 'renewal', 'refund')
          and (from_id = any(${ids}::uuid[]) or to_id = any(${ids}::uuid[]))
      ), served as (
        select distinct line_id, username from line_pushes
          where line_id = any(${this.#lines}::uuid[]) and ok and operation = 'add'
      )
      select
        (select coalesce(sum(case when kind = 'refund' then -amount else amount end), 0)
          from moved)::float8 as spent,
        (select coalesce(sum(sale.amount::numeric / (30 * months)), 0)
          from moved sale join sold_terms on transfer_id = sale.id
          where kind = 'sale' and line_id in (select line_id from served))::float8 as used,
        (select count(*) from served where not exists (
          select from moved sale where sale.line_id = served.line_id and kind = 'sale')) as tried,
        (select count(distinct username) from served where not exists (
          select from moved sale where sale.line_id = served.line_id and kind = 'sale')) as names`.execute(
      panel.services.db,
    );
    const [{ spent, used, tried, names } = { spent: 0, used: 1, tried: 1, names: 0 }] = rows;
    expect(spent).toBeGreaterThanOrEqual(used - 1e-6);
    // Each name had one trial at most.
    expect(tried).toBe(names);
  }
}

test('no line is on a server for longer than was paid, whatever is tried in turn', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 2, maxLength: 6 }),
    async (steps) => {
      const top = await panel.reseller({ credits: 100 });
      const attempt = new Attempt(top, await panel.below(top, { credits: 50 }));
      for (const one of steps) await attempt.take(one);
      await attempt.expectPaid();
    },
  );
  const twice = ['import', 'undo', 'import', 'undo', 'import', 'undo'].map((act, index) => ({
    ...{ act, isBelow: index > 1, name: Math.floor(index / 2), months: 12 },
  }));
  const tried = ['trial', 'delete', 'trial', 'delete', 'trial', 'delete'].map((act, index) => ({
    ...{ act, isBelow: index > 2, name: 0, months: 1 },
  }));
  await fc.assert(property, {
    numRuns: size(10, 2000),
    seed: isSoak ? Date.now() % 2 ** 31 : 1,
    examples: [[twice], [tried]],
  });
});
