// @module-tag thorough
// Whatever is done in turn, also on an OSCam that refuses, is away or takes no changes: at no moment an account works for
// longer than is paid, and none that is suspended works once OSCam takes changes.
import { addMonths } from '@linekeeper/contract/dates.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  addOscamServer,
  type OscamServer,
  startOscamServer,
} from '../../../testing/card-servers/oscam-server.ts';
import { eventually } from '../../../testing/eventually.ts';
import { expectBalancedBooks } from '../../../testing/ledger/ledger.ts';
import { newLine } from '../../../testing/lines.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../../testing/panel.ts';
import { isSoak, size } from '../../../testing/size.ts';

vi.setConfig({ testTimeout: isSoak ? 3_600_000 : 300_000 });

const acts = [
  ...['sell', 'renew', 'renew', 'rename', 'rename', 'undo', 'undo'],
  ...['suspend', 'resume', 'password', 'delete', 'move', 'fault', 'heal'],
] as const;
const step = fc.record({
  act: fc.constantFrom(...acts),
  months: fc.constantFrom(1, 12, 24),
  name: fc.nat(2),
  fault: fc.constantFrom('readOnly', 'forbids', 'isSilent'),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

let panel: TestPanel;
let seller: TestAccount;
let machines: { id: string; oscam: OscamServer }[];
let sequences = 0;
beforeAll(async () => {
  panel = await startTestPanel();
  seller = await panel.reseller({ credits: 100_000 });
  machines = await Promise.all(
    [0, 1].map(async (number) => {
      const oscam = await startOscamServer();
      const { id } = await addOscamServer(panel, oscam, { server_name: `OSCam ${number}` });
      // The operator has a row with a name of each kind that lines get below.
      for (const name of ['theirs', 'theirs-too']) {
        await oscam.edit(name, { pwd: 'theirs', disabled: '0', expdate: '2040-01-01' });
      }
      return { id, oscam };
    }),
  );
});
afterAll(async () => {
  await expectBalancedBooks(panel.services.db);
  await panel.stop();
  for (const { oscam } of machines) await oscam.stop();
});

/** Months that are paid and not refunded, by the line's id. */
async function paidMonths(): Promise<Map<string, number>> {
  const { rows } = await sql<{ line_id: string; months: number }>`
    select line_id, sum(months)::integer as months
      from credit_transfers paid join sold_terms on transfer_id = paid.id
      where not exists (select from credit_transfers given where given.refund_of = paid.id)
      group by line_id`.execute(panel.services.db);
  return new Map(rows.map(({ line_id, months }) => [line_id, months]));
}

const marked = () =>
  machines.flatMap(({ oscam }) =>
    oscam.accounts().flatMap((account) => {
      const [, line] = /^Linekeeper (\S+)/.exec(account.description ?? '') ?? [];
      const { user = '', expdate = '' } = account;
      return line && account.disabled !== '1' ? [{ user, expdate, line }] : [];
    }),
  );

/**
 * Expects that every account is paid. The accounts are read before the ledger, because a line that
 * is refunded after that is no longer on the card server.
 */
async function expectPaid(): Promise<void> {
  const working = marked();
  const paid = await paidMonths();
  const today = panel.services.today();
  const unpaid = working.filter(
    ({ line, expdate }) => expdate > addMonths(today, paid.get(line) ?? 0),
  );
  // A change may have been undone since the accounts were read, so the marks are read again.
  const now = marked();
  const isStill = ({ user, expdate }: (typeof now)[number]) =>
    now.some((one) => one.user === user && one.expdate === expdate);
  expect(unpaid.filter(isStill)).toEqual([]);
}

class Attempt {
  readonly #own = ['a', 'b', 'c'].map((name) => `${name}${sequences}`);
  #line: string | undefined;
  readonly #jobs: string[] = [];

  async take({ act, months, name, fault }: Step): Promise<void> {
    const { client } = seller;
    const line = `/api/lines/${this.#line ?? crypto.randomUUID()}`;
    const oscam = machines[name % 2]?.oscam;
    if (act === 'sell') {
      const { body } = await client.post(
        '/api/lines',
        newLine(this.#own[name] ?? '', { server_id: machines[0]?.id, subscription_months: months }),
      );
      this.#line = body.line?.id ?? this.#line;
      this.#keep(body);
    }
    if (act === 'renew') {
      this.#keep((await client.post(`${line}/renew`, { subscription_months: months })).body);
    }
    if (act === 'rename') {
      const username = [this.#own[name], 'theirs', 'theirs-too'][name];
      await client.patch(line, { username });
      if (name > 0) await panel.admin.patch(line, { username });
    }
    if (act === 'undo') await client.post(`/api/jobs/${this.#jobs.at(-1)}/undo`);
    if (act === 'suspend' || act === 'resume') await client.post(`${line}/${act}`, {});
    if (act === 'password') await client.patch(line, { password: `password${months}` });
    if (act === 'delete') await client.delete(line);
    if (act === 'move') await panel.admin.patch(line, { server_id: machines[name % 2]?.id });
    if (act === 'fault' && oscam) Object.assign(oscam.faults, { [fault]: true });
    if (act === 'heal') heal();
    await expectPaid();
  }

  #keep(body: { job_id?: string }): void {
    if (body.job_id) this.#jobs.push(body.job_id);
  }

  /**
   * Expects that once OSCam accepts changes, every account equals its line, and that no other
   * account has a mark of the panel's.
   */
  async expectSettled(): Promise<void> {
    heal();
    await eventually(async () => {
      const line = (await panel.admin.get(`/api/lines/${this.#line}`)).body;
      const working = marked().filter((account) => account.line === this.#line);
      const isIn = line.id !== undefined && line.suspension === null;
      expect(working.map(({ expdate }) => expdate)).toEqual(isIn ? [line.expiry_date] : []);
    });
    await expectPaid();
  }
}

function heal(): void {
  for (const { oscam } of machines) {
    Object.assign(oscam.faults, { readOnly: false, forbids: false, isSilent: false });
  }
}

test('no account works for longer than is paid, under no name and on no server', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 3, maxLength: 8 }),
    async (steps) => {
      sequences += 1;
      heal();
      const attempt = new Attempt();
      await attempt.take({ act: 'sell', months: 1, name: 0, fault: 'readOnly' });
      for (const one of steps) await attempt.take(one);
      await attempt.expectSettled();
    },
  );
  const stepOf = (act: Step['act'], name = 1): Step => ({
    act,
    name,
    months: 24,
    fault: 'readOnly',
  });
  await fc.assert(property, {
    numRuns: size(12, 1000),
    seed: isSoak ? Date.now() % 2 ** 31 : 1,
    endOnFailure: true,
    examples: [
      [[stepOf('renew'), stepOf('rename'), stepOf('undo')]],
      [[stepOf('renew'), stepOf('fault', 0), stepOf('undo')]],
      [[stepOf('renew'), stepOf('rename'), stepOf('suspend'), stepOf('undo'), stepOf('resume')]],
      [[stepOf('renew'), stepOf('fault', 1), stepOf('move'), stepOf('undo'), stepOf('suspend')]],
    ],
  });
});
