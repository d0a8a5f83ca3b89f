import type * as contract from '@linekeeper/contract/credits/activation-codes.ts';
import { addMonths } from '@linekeeper/contract/dates.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { type Selectable, sql } from 'kysely';
import type { ActivationCodesTable } from '../../../db/schema/top-up-schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import { lockActing } from '../../../domain/accounts/authorization.ts';
import { consumeGuesses, readGuessWait } from '../../../domain/accounts/guesses.ts';
import { limitRefusal } from '../../../domain/accounts/limits.ts';
import { auditOriginOf, writeAudit } from '../../../domain/audit/audit.ts';
import { everything, type SignedIn } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { readPaymentsOf } from '../../../domain/credits/refund.ts';
import { pushesOf, type ServerAccount } from '../../../domain/delivery/settle.ts';
import { insertDoneJob } from '../../../domain/lines/jobs.ts';
import { findForReceivers } from '../../../domain/lines/line-servers.ts';
import { readPlaces } from '../../../domain/lines/places.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail, failTooManyAttempts, Refusal, refusal } from '../../../platform/errors/refusal.ts';
import { isSameSecret } from '../../../platform/keys/secrets.ts';
import {
  activationNamesLimit,
  consumeLimit,
  readLimit,
  sellersActivationNamesLimit,
  unknownCodesLimit,
} from '../../../platform/rate-limit.ts';
import { pushAll } from '../change/committed-change.ts';
import { enteredAt } from '../change/reveal-line.ts';
import { sellOne } from '../sell/sell-lines.ts';
import { hashOfCode } from './list-codes.ts';

type Wanted = Parsed<typeof contract.activate>['body'];

type Code = Omit<Selectable<ActivationCodesTable>, 'code' | 'code_hash' | 'note' | 'created_at'>;

interface Activated extends Pick<Code, 'line_id'> {
  pushes: ServerAccount[];
}

/** Refusals that say nothing about what the customer entered: the code can be used later. */
const notNow: readonly ErrorCode[] = [
  'NO_ACTIVE_SERVERS',
  'NO_SERVER_TAKES_LINES',
  'LIMIT_OF_LINES',
  'SERVER_NOT_OF_PLAN',
  'PLAN_NOT_FOUND',
];
const ofTakenName: readonly ErrorCode[] = ['USERNAME_EXISTS', 'NAME_SHARES_FIRST_20'];

/**
 * The seller of a code, without an administrator's rights, because the customer may not take a name that the operator
 * has in a file of the server. A ban waits until the commit. Throws INVALID_OR_EXPIRED_CODE if the seller is banned.
 */
async function lockSeller(tx: Tx, id: string): Promise<SignedIn> {
  const seller = await lockActing(tx, id, 'account', 'INVALID_OR_EXPIRED_CODE');
  return { ...seller, is_admin: false };
}

/**
 * Counts a wrong code against the client's network, as a wrong redeem code counts against its account. Codes that are
 * tried at once do not pass the limit.
 */
async function wrongCode(tx: Tx, { network }: Ctx, code: ErrorCode): Promise<Refusal> {
  const wait = await consumeLimit(tx, unknownCodesLimit, network);
  return wait > 0 ? failTooManyAttempts(wait) : refusal(code);
}

/** The line of a used code if it has exactly this name and password: the customer has sent the same form again. */
async function repeated(
  tx: Tx,
  { secrets }: Ctx,
  { line_id }: Code,
  wanted: Wanted,
): Promise<Activated | undefined> {
  const line = await tx
    .selectFrom('users')
    .select(['server_id', 'username', 'password'])
    .where('id', '=', line_id)
    .executeTakeFirst();
  if (line?.username !== wanted.username) return undefined;
  const { server_id, username, password } = line;
  const isSame = isSameSecret(secrets.open(password, line_id), wanted.password);
  return isSame ? { line_id, pushes: [{ server_id, username }] } : undefined;
}

/** Makes the line of a code, whose term begins today. What its seller has paid becomes the payment of this term. */
async function makeLine(tx: Tx, ctx: Ctx, actor: SignedIn, code: Code, wanted: Wanted) {
  const { line_id: id, months } = code;
  const plan_id = code.plan_id ?? fail('PLAN_NOT_FOUND');
  const places = (await readPlaces(tx)).get(plan_id) ?? fail('PLAN_NOT_FOUND');
  const { username, password } = wanted;
  const acting = { actor, today: ctx.today, secrets: ctx.secrets };
  const expiry_date = addMonths(ctx.today(), months);
  const { settled, after } = await sellOne(tx, acting, {
    id,
    line: { username, password, is_trial: false, subscription_months: months },
    term: { months, expiry_date, cost: 0 },
    plan: { ...places, plan_id },
    owner_id: actor.id,
  });
  const [paid] = await readPaymentsOf(tx, [id]);
  if (paid) {
    await tx
      .insertInto('sold_terms')
      .values({ transfer_id: paid.id, months, expiry_date, begins_on: null })
      .execute();
  }
  const payment = { cost: paid?.amount ?? 0, transfer_id: paid?.id ?? null };
  await insertDoneJob(
    tx,
    { actor, address: ctx.address, request_id: ctx.request_id },
    { action: 'sell', arguments: { subscription_months: months } },
    { line_id: id, username, ...payment, after },
  );
  const made = { ...after, username, subscription_months: months };
  await writeAudit(tx, auditOriginOf(ctx), [
    { action: 'line.activate', subject_type: 'line', subject_id: id, after: made },
  ]);
  return pushesOf(settled);
}

/**
 * Makes the line of an unused code. A name that is refused leaves the code unused, and a taken one counts, because the
 * names of others could be found out otherwise.
 */
async function useCode(
  tx: Tx,
  ctx: Ctx,
  seller: SignedIn,
  code: Code,
  wanted: Wanted,
): Promise<Activated | Refusal> {
  const { id, line_id } = code;
  const wait = Math.max(
    await readLimit(tx, activationNamesLimit, id),
    await readGuessWait(tx, sellersActivationNamesLimit, seller.id),
  );
  if (wait > 0) return failTooManyAttempts(wait);
  await sql`savepoint unused`.execute(tx);
  try {
    // The code is marked as used first, so that it no longer keeps the place that its line takes.
    await tx
      .updateTable('activation_codes')
      .set({ used_at: sql<Date>`clock_timestamp()` })
      .where('id', '=', id)
      .execute();
    return { line_id, pushes: await makeLine(tx, ctx, seller, code, wanted) };
  } catch (error) {
    const refused = limitRefusal(error);
    if (!(refused instanceof Refusal)) throw error;
    await sql`rollback to savepoint unused`.execute(tx);
    const reason = refused.body.code as ErrorCode;
    if (ofTakenName.includes(reason)) {
      await consumeLimit(tx, activationNamesLimit, id);
      await consumeGuesses(tx, sellersActivationNamesLimit, seller.id);
    }
    return notNow.includes(reason) ? refusal('ACTIVATION_NOT_NOW') : refused;
  }
}

/** Makes the line of a code for a customer without an account, once. */
export const activate: Mutation<typeof contract.activate, Activated> = {
  audit: { auditsItself: 'as the act of a visitor, unless the customer asks again' },
  commit: async (tx, ctx, { body }) => {
    const wait = await readLimit(tx, unknownCodesLimit, ctx.network);
    if (wait > 0) return failTooManyAttempts(wait);
    const found = tx
      .selectFrom('activation_codes')
      .select(['id', 'seller_id', 'plan_id', 'months', 'line_id', 'used_at', 'refunded_at'])
      .where('code_hash', '=', hashOfCode(body.code));
    const known = await found.executeTakeFirst();
    if (!known) return wrongCode(tx, ctx, 'INVALID_OR_EXPIRED_CODE');
    const seller = await lockSeller(tx, known.seller_id);
    const code = await found.forUpdate().executeTakeFirstOrThrow();
    if (code.refunded_at) return wrongCode(tx, ctx, 'INVALID_OR_EXPIRED_CODE');
    if (!code.used_at) return useCode(tx, ctx, seller, code, body);
    return (await repeated(tx, ctx, code, body)) ?? wrongCode(tx, ctx, 'ACTIVATION_CODE_USED');
  },
  reply: async (ctx, { line_id, pushes }, { body: { password } }) => {
    const { ok: is_ready } = await pushAll(ctx, pushes);
    const line = await findForReceivers(ctx.db, everything, line_id);
    const servers = line.servers.map((server) => {
      const { address, cccam, newcamd } = enteredAt(server, password);
      return { ...address, cccam, newcamd };
    });
    const [first] = servers;
    const { username, line_protocol: protocol, expiry_date } = line;
    const entered = { host: first?.host ?? '', port: first?.port ?? '' };
    const c_line = first?.cccam ?? null;
    return { line: { username, protocol, expiry_date, ...entered, c_line, servers, is_ready } };
  },
};
