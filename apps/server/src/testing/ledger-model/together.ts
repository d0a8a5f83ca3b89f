import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { SALES } from '../../core/credits.ts';
import { transfersOf } from '../ledger.ts';
import type { Sequence } from './commands.ts';
import type { Act } from './model.ts';
import {
  type Answer,
  addSellers,
  type Request,
  requestOf,
  type Sellers,
  type Shop,
  send,
  todayOf,
} from './shop.ts';

const refusals = new Set([
  'LINE_NOT_FOUND',
  'USER_NOT_FOUND',
  'TRANSFER_NOT_FOUND',
  'INVALID_USER_ID',
  'INVALID_SUBSCRIPTION_MONTHS',
  'USERNAME_EXISTS',
  'TRIAL_LIMIT_REACHED',
  'INSUFFICIENT_CREDITS',
  'NOT_REFUNDABLE',
  'ALREADY_REFUNDED',
]);

interface Sent {
  act: Act;
  key: string;
  answer: Answer;
}

interface Stage {
  shop: Shop;
  sellers: Sellers;
  prefix: string;
  lines: string[];
  transfers: string[];
}

function at(ids: readonly string[], index: number): string {
  return ids[index % (ids.length || 1)] ?? randomUUID();
}

function prepare({ shop, sellers, prefix, lines, transfers }: Stage, act: Act): Request {
  return requestOf(act, todayOf(shop), {
    line: at(lines, 'line' in act ? act.line : 0),
    transfer: at(transfers, 'transfer' in act ? act.transfer : 0),
    prefix,
    sellers,
  });
}

async function carryOut(stage: Stage, act: Act, request: Request, key: string): Promise<Sent> {
  const { shop, sellers } = stage;
  const actor = act.who === 'admin' ? shop.admin : sellers[act.who];
  const answer = await send(shop, actor, request, key);
  return { act, key, answer };
}

/** Every transfer of the three, each once. */
async function readTransfers({ shop, sellers }: Stage) {
  const rows = await Promise.all(
    Object.values(sellers).map(({ id }) => transfersOf(shop.services.db, id)),
  );
  return [...new Map(rows.flat().map((row) => [row.id, row])).values()].sort(
    (a, b) => a.created_at.getTime() - b.created_at.getTime(),
  );
}

type Transfers = Awaited<ReturnType<typeof readTransfers>>;

async function expectBalances({ shop, sellers }: Stage, transfers: Transfers): Promise<void> {
  for (const { id } of Object.values(sellers)) {
    const { credits } = await shop.services.db
      .selectFrom('auth_users')
      .select('credits')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const signed = transfers.map((row) =>
      row.to_id === id ? row.amount : row.from_id === id ? -row.amount : 0,
    );
    expect(credits).toBe(signed.reduce((sum, amount) => sum + amount, 0));
    expect(credits).toBeGreaterThanOrEqual(0);
  }
}

const isDone = ({ answer }: Sent) => answer.body.code === undefined && !answer.was_replayed;

/** What was answered is what happened: no more, no less, and once for each key. */
function expectEffects(sent: readonly Sent[], transfers: Transfers): void {
  for (const { answer } of sent) {
    if (answer.body.code) expect(refusals).toContain(answer.body.code);
  }
  for (const same of Map.groupBy(sent, ({ key }) => key).values()) {
    expect(same.filter(isDone).length).toBeLessThanOrEqual(1);
    const bodies = same.filter(({ answer }) => !answer.body.code).map(({ answer }) => answer.body);
    for (const body of bodies) {
      expect(JSON.parse(JSON.stringify(body))).toEqual(JSON.parse(JSON.stringify(bodies[0])));
    }
  }
  const done = sent.filter(isDone);
  const told = done.reduce((sum, { answer }) => sum + (answer.body.cost ?? 0), 0);
  const paid = transfers.filter(({ to_id }) => to_id === SALES);
  expect(paid.reduce((sum, { amount }) => sum + amount, 0)).toBe(told);
  const refunds = transfers.filter(({ kind }) => kind === 'refund');
  expect(refunds).toHaveLength(done.filter(({ act }) => act.do === 'refund').length);
  expect(new Set(refunds.map(({ refund_of }) => refund_of)).size).toBe(refunds.length);
}

async function expectLines({ shop, prefix }: Stage, sent: readonly Sent[]): Promise<void> {
  const done = sent.filter(isDone);
  const count = (what: Act['do']) => done.filter(({ act }) => act.do === what).length;
  const lines = await shop.services.db
    .selectFrom('users')
    .select('id')
    .where('username', 'like', `${prefix}-%`)
    .execute();
  expect(lines).toHaveLength(count('sell') - count('delete'));
}

/** Half of a sequence one by one, then the other half at once, and nothing comes out of it by itself. */
export async function runTogether(shop: Shop, { opening, steps }: Sequence): Promise<void> {
  const sellers = await addSellers(shop, opening);
  const prefix = randomUUID().slice(-12);
  const stage: Stage = { shop, sellers, prefix, lines: [], transfers: [] };
  const acts = steps.filter((step): step is Act => 'do' in step);
  const half = Math.ceil(acts.length / 2);
  const sent: Sent[] = [];
  for (const act of acts.slice(0, half)) {
    const one = await carryOut(stage, act, prepare(stage, act), randomUUID());
    sent.push(one);
    if (one.answer.body.line) stage.lines.push(one.answer.body.line.id);
    stage.transfers = (await readTransfers(stage)).map(({ id }) => id);
  }
  // Each of them twice with its key, and once more with another.
  const later = acts.slice(half).flatMap((act) => {
    const request = prepare(stage, act);
    const key = randomUUID();
    return [key, key, randomUUID()].map((one) => carryOut(stage, act, request, one));
  });
  sent.push(...(await Promise.all(later)));
  const transfers = await readTransfers(stage);
  await expectBalances(stage, transfers);
  expectEffects(sent, transfers);
  await expectLines(stage, sent);
}
