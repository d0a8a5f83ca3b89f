import { type Endpoint, type Parsed, refusalsOf } from '@linekeeper/contract/endpoint.ts';
import { type Tx, transact } from '../../db/transaction.ts';
import { Refusal, TakenBack } from '../../platform/errors/refusal.ts';
import {
  type AuthorizationRefusals,
  lockOutChanges,
  lockPermissions,
  type PermissionHolder,
} from '../accounts/authorization.ts';
import { countingGuesses } from '../accounts/guesses.ts';
import {
  type AuditedChange,
  auditOriginOf,
  rowsOf,
  withAudit,
  writeAudit,
} from '../audit/audit.ts';
import type { Ctx } from '../context/context.ts';
import * as idempotency from './idempotency.ts';
import type { Action, Mutation, Route } from './use-case.ts';

type AnyMutation = Mutation<Endpoint, unknown, unknown>;
type Input = Parsed<Endpoint>;
type Call = Pick<Route, 'endpoint' | 'handler'>;
type Change = { endpoint: Endpoint; handler: AnyMutation };

interface Outcome {
  body: unknown;
  /** The body is the stored reply to an earlier request with the same key. */
  was_replayed: boolean;
}

function isChange(call: Call): call is Change {
  return typeof call.handler === 'object';
}

/** Runs a use case; a request with an idempotency key takes effect once, however often it is sent. */
export function runUseCase(
  call: Call,
  ctx: Ctx,
  input: Input,
  idempotentRequest: idempotency.IdempotentRequest | null,
): Promise<Outcome> {
  return countingGuesses(ctx, call.endpoint, input, () => run(call, ctx, input, idempotentRequest));
}

async function run(
  call: Call,
  ctx: Ctx,
  input: Input,
  idempotentRequest: idempotency.IdempotentRequest | null,
): Promise<Outcome> {
  if (!idempotentRequest || (isChange(call) && call.handler.onlyAsks?.(input))) {
    const body = isChange(call)
      ? await call.handler.reply(ctx, await commit(call, ctx, input))
      : await (call.handler as Action<Endpoint>)(ctx, input);
    return { body, was_replayed: false };
  }
  // Nearly every key is new, so inserting it replaces a look-up: a conflict shows that it exists.
  // A use case that prepares something first must look, to prepare nothing twice.
  const isTakenFirst = isChange(call) && !call.handler.prepare;
  return runOnce(call, ctx, input, idempotentRequest, !isTakenFirst);
}

async function runOnce(
  call: Call,
  ctx: Ctx,
  input: Input,
  idempotentRequest: idempotency.IdempotentRequest,
  looksFirst: boolean,
): Promise<Outcome> {
  const replayed = looksFirst ? await replay(call, ctx, input, idempotentRequest) : undefined;
  if (replayed !== undefined) return { body: replayed, was_replayed: true };
  try {
    const body = isChange(call)
      ? await commitOnce(call, ctx, input, idempotentRequest)
      : await actOnce(call, ctx, input, idempotentRequest);
    return { body, was_replayed: false };
  } catch (error) {
    if (!(error instanceof idempotency.KeyTaken)) throw error;
    // Another request has the key: its reply is ours, or it was refused and the key is free.
    return runOnce(call, ctx, input, idempotentRequest, true);
  }
}

/** What a call says that its account may no longer make. */
function refusalsNow(endpoint: Endpoint): AuthorizationRefusals {
  const paysCredits = endpoint.errors?.includes('INSUFFICIENT_CREDITS');
  return { ...refusalsOf(endpoint), vanished: paysCredits ? 'PAYER_MISSING' : undefined };
}

/** Waits for the changes of those whose powers the call lessens. */
async function holdOffLessened(
  { lessens }: AnyMutation,
  tx: Tx,
  ctx: Ctx,
  input: Input,
): Promise<void> {
  const held = new Set<string>();
  const isNew = (one: PermissionHolder) => !held.has(JSON.stringify(one));
  for (;;) {
    const missing = ((await lessens?.(tx, ctx, input)) ?? []).filter(isNew);
    if (missing.length === 0) return;
    await lockOutChanges(tx, ctx.actor.id, missing);
    for (const one of missing) held.add(JSON.stringify(one));
  }
}

/** The context with what the account may do now, held until the commit; takes the key if there is one. */
async function admitNow(
  { endpoint, handler }: Change,
  tx: Tx,
  ctx: Ctx,
  input: Input,
  idempotentRequest: idempotency.IdempotentRequest | undefined,
): Promise<Ctx> {
  const { signedIn } = ctx;
  if (!signedIn || handler.onlyAsks?.(input)) return ctx;
  await holdOffLessened(handler, tx, ctx, input);
  const held = [signedIn, endpoint.access, refusalsNow(endpoint)] as const;
  const actor = idempotentRequest
    ? await idempotency.takeKey(tx, idempotentRequest, ...held)
    : await lockPermissions(tx, ...held);
  return { ...ctx, signedIn: actor, actor };
}

/** One transaction: the key if any, the change, and the result needed to build the reply again. */
async function commit(
  call: Change,
  ctx: Ctx,
  input: Input,
  idempotentRequest?: idempotency.IdempotentRequest,
): Promise<unknown> {
  const prepared = await call.handler.prepare?.(ctx, input);
  const outcome = await transact(ctx.db, async (tx) => {
    const admitted = await admitNow(call, tx, ctx, input, idempotentRequest);
    const { result, entry } = await change(call.handler, tx, admitted, input, prepared);
    const [origin, entries] = [auditOriginOf(ctx), entry ? [entry] : []];
    if (!idempotentRequest) {
      await writeAudit(tx, origin, entries);
    } else if (result instanceof Refusal) {
      await idempotency.freeKey(tx, idempotentRequest);
    } else {
      await idempotency.keepResult(tx, idempotentRequest, result, rowsOf(origin, entries));
    }
    return result;
  });
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}

/** The change, and its audit entry if it has one. */
async function change(
  handler: AnyMutation,
  tx: Tx,
  ctx: Ctx,
  input: Input,
  prepared: unknown,
): Promise<AuditedChange<unknown>> {
  const work = () => handler.commit(tx, ctx, input, prepared);
  const { audit } = handler;
  if (!('action' in audit) || handler.onlyAsks?.(input)) {
    return { result: await work(), entry: null };
  }
  return withAudit(tx, ctx, audit, input, work);
}

async function commitOnce(
  call: Change,
  ctx: Ctx,
  input: Input,
  idempotentRequest: idempotency.IdempotentRequest,
): Promise<unknown> {
  const result = await commit(call, ctx, input, idempotentRequest);
  const body = await replyOnce(call, ctx, result, idempotentRequest);
  await idempotency.keepReply(ctx.db, idempotentRequest, body);
  return body;
}

/** The reply to a change; one that was taken back frees the key, as if it had been refused before. */
async function replyOnce(
  { handler }: Change,
  ctx: Ctx,
  result: unknown,
  idempotentRequest: idempotency.IdempotentRequest,
): Promise<unknown> {
  try {
    return await handler.reply(ctx, result);
  } catch (error) {
    if (error instanceof TakenBack) await idempotency.freeKey(ctx.db, idempotentRequest);
    throw error;
  }
}

async function actOnce(
  { endpoint, handler }: Call,
  ctx: Ctx,
  input: Input,
  idempotentRequest: idempotency.IdempotentRequest,
): Promise<unknown> {
  const held = [ctx.actor, endpoint.access, refusalsNow(endpoint)] as const;
  await transact(ctx.db, (tx) => idempotency.takeKey(tx, idempotentRequest, ...held));
  try {
    const body = await (handler as Action<Endpoint>)(ctx, input);
    await idempotency.keepReply(ctx.db, idempotentRequest, body);
    return body;
  } catch (error) {
    await idempotency.freeKey(ctx.db, idempotentRequest);
    throw error;
  }
}

async function replay(
  call: Call,
  ctx: Ctx,
  input: Input,
  idempotentRequest: idempotency.IdempotentRequest,
): Promise<unknown> {
  const found = await idempotency.findEarlierOutcome(ctx.db, idempotentRequest);
  if (found.kind === 'none') return undefined;
  if (found.kind === 'replied') return found.reply;
  const rebuilt = isChange(call)
    ? await replyOnce(call, ctx, found.result, idempotentRequest)
    : await (call.handler as Action<Endpoint>)(ctx, input);
  await idempotency.keepReply(ctx.db, idempotentRequest, rebuilt);
  return rebuilt;
}
