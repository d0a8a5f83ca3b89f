import type { Endpoint, Parsed } from '@linekeeper/contract/endpoint.ts';
import { type Tx, transact } from '../db/transaction.ts';
import { type AuditedChange, auditOriginOf, rowsOf, withAudit, writeAudit } from './audit/audit.ts';
import type { Ctx } from './context.ts';
import * as idempotency from './idempotency.ts';
import { Refusal } from './refusal.ts';
import type { Action, Mutation, Route } from './use-case.ts';

type AnyMutation = Mutation<Endpoint, unknown, unknown>;
type Input = Parsed<Endpoint>;

interface Outcome {
  body: unknown;
  /** The body is the stored reply to an earlier request with the same key. */
  was_replayed: boolean;
}

function hasCommit(handler: Route['handler']): handler is AnyMutation {
  return typeof handler === 'object';
}

/** Runs a use case; a request with an idempotency key takes effect once, however often it is sent. */
export async function runUseCase(
  handler: Route['handler'],
  ctx: Ctx,
  input: Input,
  idempotentRequest: idempotency.IdempotentRequest | null,
): Promise<Outcome> {
  if (!idempotentRequest || (hasCommit(handler) && handler.onlyAsks?.(input))) {
    const body = hasCommit(handler)
      ? await handler.reply(ctx, await commit(handler, ctx, input))
      : await handler(ctx, input);
    return { body, was_replayed: false };
  }
  // Nearly every key is new, so inserting it replaces a look-up: a conflict shows that it exists.
  // A use case that prepares something first must look, to prepare nothing twice.
  const isTakenFirst = hasCommit(handler) && !handler.prepare;
  return runOnce(handler, ctx, input, idempotentRequest, !isTakenFirst);
}

async function runOnce(
  handler: Route['handler'],
  ctx: Ctx,
  input: Input,
  idempotentRequest: idempotency.IdempotentRequest,
  looksFirst: boolean,
): Promise<Outcome> {
  const replayed = looksFirst ? await replay(handler, ctx, input, idempotentRequest) : undefined;
  if (replayed !== undefined) return { body: replayed, was_replayed: true };
  try {
    const body = hasCommit(handler)
      ? await commitOnce(handler, ctx, input, idempotentRequest)
      : await actOnce(handler, ctx, input, idempotentRequest);
    return { body, was_replayed: false };
  } catch (error) {
    if (!(error instanceof idempotency.KeyTaken)) throw error;
    // Another request has the key: its reply is ours, or it was refused and the key is free.
    return runOnce(handler, ctx, input, idempotentRequest, true);
  }
}

/** One transaction: the key if any, the change, and the result needed to build the reply again. */
async function commit(
  handler: AnyMutation,
  ctx: Ctx,
  input: Input,
  idempotentRequest?: idempotency.IdempotentRequest,
): Promise<unknown> {
  const prepared = await handler.prepare?.(ctx, input);
  const outcome = await transact(ctx.db, async (tx) => {
    if (idempotentRequest) await idempotency.takeKey(tx, idempotentRequest);
    const { result, entry } = await change(handler, tx, ctx, input, prepared);
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
  handler: AnyMutation,
  ctx: Ctx,
  input: Input,
  idempotentRequest: idempotency.IdempotentRequest,
): Promise<unknown> {
  const result = await commit(handler, ctx, input, idempotentRequest);
  const body = await handler.reply(ctx, result);
  await idempotency.keepReply(ctx.db, idempotentRequest, body);
  return body;
}

async function actOnce(
  handler: Action<Endpoint>,
  ctx: Ctx,
  input: Input,
  idempotentRequest: idempotency.IdempotentRequest,
): Promise<unknown> {
  await transact(ctx.db, (tx) => idempotency.takeKey(tx, idempotentRequest));
  try {
    const body = await handler(ctx, input);
    await idempotency.keepReply(ctx.db, idempotentRequest, body);
    return body;
  } catch (error) {
    await idempotency.freeKey(ctx.db, idempotentRequest);
    throw error;
  }
}

async function replay(
  handler: Route['handler'],
  ctx: Ctx,
  input: Input,
  idempotentRequest: idempotency.IdempotentRequest,
): Promise<unknown> {
  const found = await idempotency.findEarlierOutcome(ctx.db, idempotentRequest);
  if (found.kind === 'none') return undefined;
  if (found.kind === 'replied') return found.reply;
  const rebuilt = hasCommit(handler)
    ? await handler.reply(ctx, found.result)
    : await handler(ctx, input);
  await idempotency.keepReply(ctx.db, idempotentRequest, rebuilt);
  return rebuilt;
}
