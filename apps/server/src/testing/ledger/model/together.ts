import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { SALES } from '../../../domain/credits/credits.ts';
import { expectConservedTrees, transfersOf } from '../ledger.ts';
import type { Sequence } from './commands.ts';
import type { Act } from './model.ts';
import {
  type Answer,
  addSellers,
  type LedgerWorld,
  type Request,
  requestOf,
  type Sellers,
  send,
  todayOf,
} from './world.ts';

const refusals = new Set([
  'LINE_NOT_FOUND',
  'USER_NOT_FOUND',
  'TRANSFER_NOT_FOUND',
  'INVALID_USER_ID',
  'INVALID_SUBSCRIPTION_MONTHS',
  'INVALID_EXPIRY_DATE',
  'USERNAME_EXISTS',
  'TRIAL_LIMIT_REACHED',
  'TRIAL_OF_NAME',
  'NOT_FROM_ABOVE',
  'INSUFFICIENT_CREDITS',
  'NOT_REFUNDABLE',
  'ALREADY_REFUNDED',
  'ACCOUNT_CIRCLE',
  'ADMIN_ONLY_FIELD',
]);

interface Sent {
  act: Act;
  key: string;
  answer: Answer;
}

interface Stage {
  world: LedgerWorld;
  sellers: Sellers;
  prefix: string;
  lines: string[];
  transfers: string[];
}

function at(ids: readonly string[], index: number): string {
  return ids[index % (ids.length || 1)] ?? randomUUID();
}

function prepare({ world, sellers, prefix, lines, transfers }: Stage, act: Act): Request {
  return requestOf(act, todayOf(world), {
    line: at(lines, 'line' in act ? act.line : 0),
    transfer: at(transfers, 'transfer' in act ? act.transfer : 0),
    prefix,
    sellers,
  });
}

async function carryOut(stage: Stage, act: Act, request: Request, key: string): Promise<Sent> {
  const { world, sellers } = stage;
  const actor = act.who === 'admin' ? world.admin : sellers[act.who];
  const answer = await send(world, actor, request, key);
  return { act, key, answer };
}

/** All transfers of the three sellers, without duplicates. */
async function readTransfers({ world, sellers }: Stage) {
  const rows = await Promise.all(
    Object.values(sellers).map(({ id }) => transfersOf(world.services.db, id)),
  );
  return [...new Map(rows.flat().map((row) => [row.id, row])).values()].sort(
    (a, b) => a.created_at.getTime() - b.created_at.getTime(),
  );
}

type Transfers = Awaited<ReturnType<typeof readTransfers>>;

async function expectBalances({ world, sellers }: Stage, transfers: Transfers): Promise<void> {
  for (const { id } of Object.values(sellers)) {
    const { credits } = await world.services.db
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

/** Expects that the transfers match the replies exactly, one for each key. */
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

async function expectLines({ world, prefix }: Stage, sent: readonly Sent[]): Promise<void> {
  const done = sent.filter(isDone);
  const count = (what: Act['do']) => done.filter(({ act }) => act.do === what).length;
  const lines = await world.services.db
    .selectFrom('users')
    .select('id')
    .where('username', 'like', `${prefix}-%`)
    .execute();
  expect(lines).toHaveLength(count('sell') - count('delete'));
}

/** Runs half of a sequence step by step, then the other half concurrently. No other process makes changes. */
export async function runTogether(world: LedgerWorld, { opening, steps }: Sequence): Promise<void> {
  const sellers = await addSellers(world, opening);
  const prefix = randomUUID().slice(-12);
  const stage: Stage = { world, sellers, prefix, lines: [], transfers: [] };
  const acts = steps.filter((step): step is Act => 'do' in step);
  const half = Math.ceil(acts.length / 2);
  const sent: Sent[] = [];
  for (const act of acts.slice(0, half)) {
    const one = await carryOut(stage, act, prepare(stage, act), randomUUID());
    sent.push(one);
    if (one.answer.body.line) stage.lines.push(one.answer.body.line.id);
    stage.transfers = (await readTransfers(stage)).map(({ id }) => id);
  }
  // Each request is sent twice with its key, and once with another key.
  const later = acts.slice(half).flatMap((act) => {
    const request = prepare(stage, act);
    const key = randomUUID();
    return [key, key, randomUUID()].map((one) => carryOut(stage, act, request, one));
  });
  sent.push(...(await Promise.all(later)));
  const transfers = await readTransfers(stage);
  await expectBalances(stage, transfers);
  await expectConservedTrees(
    world.services.db,
    world.admin.id,
    Object.values(sellers).map(({ id }) => id),
  );
  expectEffects(sent, transfers);
  await expectLines(stage, sent);
}
