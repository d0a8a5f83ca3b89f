import { type Endpoint, type Parsed, refusalsOf } from '@linekeeper/contract/endpoint.ts';
import { type Tx, transact } from '../../db/transaction.ts';
import { Refusal } from '../../platform/errors/refusal.ts';
import {
  type AuthorizationRefusals,
  lockOutChanges,
  lockPermissions,
  type PermissionHolder,
} from '../accounts/authorization.ts';
import { countAct } from '../accounts/daily-limits.ts';
import { countingGuesses } from '../accounts/guesses.ts';
import { limitRefusal } from '../accounts/limits.ts';
import { type AuditEntry, auditOriginOf, beginEntry, rowsOf, writeAudit } from '../audit/audit.ts';
import type { Ctx } from '../context/context.ts';
import * as idempotency from './idempotency.ts';
import { type Route, Unkept } from './use-case.ts';

/** One request of a use case. */
interface Call extends Route {
  ctx: Ctx;
  input: Parsed<Endpoint>;
  /** The request by its Idempotency-Key; null for a request without one. */
  idempotentRequest: idempotency.IdempotentRequest | null;
}

interface Answer {
  body: unknown;
  /** The body is the stored reply to an earlier request with the same key. */
  was_replayed: boolean;
}

/**
 * Runs a use case: `prepare`, `commit` in one transaction, then `reply`. A request with an
 * Idempotency-Key takes effect once, however often it is sent.
 */
export function runUseCase(
  route: Route,
  ctx: Ctx,
  input: Parsed<Endpoint>,
  idempotentRequest: idempotency.IdempotentRequest | null,
): Promise<Answer> {
  const { endpoint, useCase } = route;
  const call = { ...route, ctx, input, idempotentRequest };
  // Nearly every key is new, so the key is inserted without a look-up, and a conflict shows that it
  // exists. A use case with a `prepare` step must look first, to prepare nothing twice.
  const looksFirst = useCase.prepare !== undefined;
  return countingGuesses(ctx, endpoint, input, () => run(call, looksFirst));
}

async function run(call: Call, looksFirst: boolean): Promise<Answer> {
  const { ctx, idempotentRequest } = call;
  if (idempotentRequest && looksFirst) {
    const earlier = await idempotency.findEarlierOutcome(ctx.db, idempotentRequest);
    if (earlier) {
      const isStored = 'reply' in earlier && !call.endpoint.repliesAnew;
      const body = isStored ? earlier.reply : await reply(call, earlier.result);
      return { body, was_replayed: true };
    }
  }
  try {
    const outcome = await commit(call);
    const body = await (outcome instanceof Unkept
      ? reply({ ...call, idempotentRequest: null }, outcome.result)
      : reply(call, outcome));
    return { body, was_replayed: false };
  } catch (error) {
    if (!(error instanceof idempotency.KeyTaken)) throw error;
    // Another request has stored the key: its reply is sent, or it was refused and the key is free again.
    return run(call, true);
  }
}

/** One transaction: the key if there is one, the change, its audit entry and its result. */
async function commit(call: Call): Promise<unknown> {
  const { useCase, ctx, input, idempotentRequest } = call;
  const prepared = await useCase.prepare?.(ctx, input);
  if (!useCase.commit && !idempotentRequest && !isAct(call)) return undefined;
  const outcome = await transact(ctx.db, async (tx) => {
    const admitted = await admitNow(call, tx);
    if (!useCase.commit) {
      if (isAct(call)) await countAct(tx, admitted.actor);
      return undefined;
    }
    const entryOf = await beginEntry(tx, admitted, useCase.audit, input);
    const result = await useCase.commit(tx, admitted, input, prepared);
    const isKept = !(result instanceof Refusal || result instanceof Unkept);
    const [origin, entries] = [auditOriginOf(admitted), isKept ? await entryOf(result) : []];
    const isFree = isKept && !wasPaid(result);
    if (isFree && isAct(call, entries)) await countAct(tx, admitted.actor);
    if (!idempotentRequest) await writeAudit(tx, origin, entries);
    else if (!isKept) await idempotency.freeKey(tx, idempotentRequest);
    else await idempotency.keepResult(tx, idempotentRequest, result, rowsOf(origin, entries));
    return result;
  }).catch((error: unknown) => {
    throw limitRefusal(error);
  });
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}

/**
 * True for a call that leaves an audit entry permanently, so that it has to cost credits or be
 * counted. Public calls have separate limits.
 * @param entries the call's audit entries, except those that it writes itself
 */
function isAct({ endpoint, audit, ctx }: Call, entries?: readonly AuditEntry[]): boolean {
  if (!audit || endpoint.access === 'public' || ctx.signedIn?.is_admin) return false;
  if ('notAudited' in audit || audit.isUncounted !== undefined) return false;
  return 'auditsItself' in audit || entries === undefined || entries.length > 0;
}

/** True for a result with a cost. */
const wasPaid = (result: unknown): boolean =>
  Number((result as { cost?: unknown } | null | undefined)?.cost) > 0;

/** The response, stored for the key. If it fails and nothing was changed, the key is free again. */
async function reply(call: Call, result: unknown): Promise<unknown> {
  const { endpoint, useCase, ctx, input, idempotentRequest } = call;
  try {
    const body = useCase.reply ? await useCase.reply(ctx, result, input) : result;
    const kept = endpoint.repliesAnew ? true : body;
    if (idempotentRequest) await idempotency.keepReply(ctx.db, idempotentRequest, kept);
    return body;
  } catch (error) {
    if (idempotentRequest && !useCase.commit) await idempotency.freeKey(ctx.db, idempotentRequest);
    throw error;
  }
}

/**
 * The context with the account's current permissions, locked until the commit. Stores the
 * Idempotency-Key, if there is one.
 */
async function admitNow(call: Call, tx: Tx): Promise<Ctx> {
  const { endpoint, ctx, idempotentRequest } = call;
  if (!ctx.signedIn) return ctx;
  await holdOffLessened(call, tx);
  const held = [ctx.signedIn, endpoint.access, refusalsNow(endpoint)] as const;
  const actor = idempotentRequest
    ? await idempotency.takeKey(tx, idempotentRequest, ...held)
    : await lockPermissions(tx, ...held);
  return { ...ctx, signedIn: actor, actor };
}

/** Waits for the changes of accounts whose permissions the call reduces. */
async function holdOffLessened({ useCase, ctx, input }: Call, tx: Tx): Promise<void> {
  const held = new Set<string>();
  const isNew = (one: PermissionHolder) => !held.has(JSON.stringify(one));
  for (;;) {
    const missing = ((await useCase.lessens?.(tx, ctx, input)) ?? []).filter(isNew);
    if (missing.length === 0) return;
    await lockOutChanges(tx, ctx.actor.id, missing);
    for (const one of missing) held.add(JSON.stringify(one));
  }
}

/** The refusals for an account that may no longer make the call. */
function refusalsNow(endpoint: Endpoint): AuthorizationRefusals {
  const paysCredits = endpoint.errors?.includes('INSUFFICIENT_CREDITS');
  return { ...refusalsOf(endpoint), vanished: paysCredits ? 'PAYER_MISSING' : undefined };
}
