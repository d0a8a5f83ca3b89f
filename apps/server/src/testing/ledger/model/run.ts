import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ISSUANCE, SALES } from '../../../domain/credits/credits.ts';
import { expectConservedTrees } from '../ledger.ts';
import type { Sequence } from './commands.ts';
import { type Act, Model, type Outcome, type Seller, type Who } from './model.ts';
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

/** The outcome of a reply, in the model's terms. */
function readOutcome({ body }: Answer): Outcome {
  if (body.code) {
    const { required, available } = body.data;
    return { refused: body.code, ...(required === undefined ? {} : { required, available }) };
  }
  if (body.line) {
    const { cost, credits, line } = body;
    return { cost, credits, expiry: line.expiry_date, is_trial: line.is_trial };
  }
  if (body.account) {
    const { account, transfer } = body;
    return {
      moved: transfer?.kind ?? null,
      amount: transfer?.amount ?? 0,
      credits: account.credits,
    };
  }
  return { deleted: true };
}

interface Sent {
  act: Act;
  request: Request;
  key: string;
  answer: Answer;
}

const isRefused = ({ answer }: Sent) => answer.body.code !== undefined;

/** Runs one sequence on the product and on the model; throws at the first difference. */
class Run {
  readonly #world: LedgerWorld;
  readonly #sellers: Sellers;
  readonly #model: Model;
  readonly #prefix = randomUUID().slice(-12);
  readonly #lines: string[] = [];
  readonly #sent: Sent[] = [];

  constructor(world: LedgerWorld, sellers: Sellers, opening: Record<Seller, number>) {
    this.#world = world;
    this.#sellers = sellers;
    this.#model = new Model(todayOf(world), opening);
  }

  #actor(who: Who) {
    return who === 'admin' ? this.#world.admin : this.#sellers[who];
  }

  /** The transfers in the order in which they took effect. */
  async #transfers() {
    const ids = Object.values(this.#sellers).map(({ id }) => id);
    return this.#world.services.db
      .selectFrom('credit_transfers')
      .select(['id', 'kind', 'from_id', 'to_id', 'amount'])
      .where((where) => where.or([where('from_id', 'in', ids), where('to_id', 'in', ids)]))
      .orderBy('created_at')
      .execute();
  }

  async act(given: Act): Promise<void> {
    const act = this.#model.resolve(given);
    const isRefund = act.do === 'refund' && act.transfer >= 0;
    const transfer = isRefund ? (await this.#transfers())[act.transfer]?.id : undefined;
    const line = 'line' in act ? this.#lines[act.line] : undefined;
    const request = requestOf(act, todayOf(this.#world), {
      line: line ?? randomUUID(),
      transfer: transfer ?? randomUUID(),
      prefix: this.#prefix,
      sellers: this.#sellers,
    });
    await this.#carryOut(act, request, randomUUID());
  }

  async #carryOut(act: Act, request: Request, key: string): Promise<void> {
    const expected = this.#model.apply(act);
    const answer = await send(this.#world, this.#actor(act.who), request, key);
    expect(readOutcome(answer), JSON.stringify(act)).toEqual(expected);
    expect(answer.was_replayed).toBe(false);
    if (act.do === 'sell' && answer.body.line) this.#lines.push(answer.body.line.id);
    this.#sent.push({ act, request, key, answer });
  }

  /** Expects that a successful request gets the same reply again, and that a refused one is tried again. */
  async again(step: number, altered: boolean): Promise<void> {
    const earlier = this.#sent[step % (this.#sent.length || 1)];
    if (!earlier) return;
    const { act, request, key } = earlier;
    // The last request with this key is the one that counts.
    const last = this.#sent.findLast((sent) => sent.key === key) ?? earlier;
    if (isRefused(last)) return this.#carryOut(act, request, key);
    const actor = this.#actor(act.who);
    if (altered) {
      const other = { ...request, id: request.id && randomUUID(), body: this.#alter(request) };
      const { body } = await send(this.#world, actor, other, key);
      expect(body.code).toBe('IDEMPOTENCY_KEY_REUSED');
      return;
    }
    const answer = await send(this.#world, actor, request, key);
    expect(answer.was_replayed).toBe(true);
    // The reply is compared as it is stored, because JSON has no undefined.
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(last.answer.body)));
  }

  #alter({ endpoint, body }: Request) {
    return endpoint === 'createLine' ? { ...body, password: 'another' } : body;
  }

  async compare(): Promise<void> {
    const { db } = this.#world.services;
    const sellers = Object.entries(this.#sellers);
    const ids = sellers.map(([, { id }]) => id);
    const names = new Map<string, string>([
      [ISSUANCE, 'issuance'],
      [SALES, 'sales'],
      ...sellers.map(([name, { id }]): [string, string] => [id, name]),
    ]);
    const nameOf = (id: string) => names.get(id) ?? 'admin';

    const accounts = await db
      .selectFrom('auth_users')
      .select(['id', 'credits'])
      .where('id', 'in', ids)
      .execute();
    const balances = Object.fromEntries(accounts.map(({ id, credits }) => [nameOf(id), credits]));
    expect(balances).toEqual(this.#model.balances);

    await expectConservedTrees(db, this.#world.admin.id, ids);
    const transfers = await this.#transfers();
    expect(
      transfers.map(({ kind, from_id, to_id, amount }) => ({
        kind,
        from: nameOf(from_id),
        to: nameOf(to_id),
        amount,
      })),
    ).toEqual(this.#model.transfers.map(({ is_refunded: _, ...transfer }) => transfer));
    const sum = (side: 'from_id' | 'to_id', kinds: string[]) =>
      transfers
        .filter((row) => kinds.includes(row[side]))
        .reduce((total, { amount }) => total + amount, 0);
    const outside = [ISSUANCE, SALES];
    const held = accounts.reduce((total, { credits }) => total + credits, 0);
    expect(held + sum('to_id', outside) - sum('from_id', outside)).toBe(0);

    const lines = await db
      .selectFrom('users')
      .select(['username', 'owner_id', 'expiry_date as expiry', 'is_trial'])
      .where('username', 'like', `${this.#prefix}-%`)
      .orderBy('username')
      .execute();
    expect(lines.map(({ owner_id, ...line }) => ({ ...line, owner: nameOf(owner_id) }))).toEqual(
      this.#model.lines
        .filter(({ is_gone }) => !is_gone)
        .map(({ owner, name, expiry, is_trial }) => ({
          username: `${this.#prefix}-${name}`,
          owner,
          expiry,
          is_trial,
        }))
        .sort((a, b) => (a.username < b.username ? -1 : 1)),
    );
  }
}

export async function runSequence(world: LedgerWorld, { opening, steps }: Sequence): Promise<void> {
  const run = new Run(world, await addSellers(world, opening), opening);
  for (const step of steps) {
    if ('again' in step) await run.again(step.again, step.altered);
    else await run.act(step);
  }
  await run.compare();
}
