import type { Endpoint, Parsed } from '@linekeeper/contract/endpoint.ts';
import { transact } from '../db/transaction.ts';
import type { Ctx } from './context.ts';
import * as idempotency from './idempotency.ts';
import type { Action, Mutation, Route } from './use-case.ts';

type AnyMutation = Mutation<Endpoint, unknown, unknown>;
type Input = Parsed<Endpoint>;

interface Outcome {
  body: unknown;
  /** The same request was answered before, and this is that answer. */
  was_replayed: boolean;
}

function isTwoHalves(handler: Route['handler']): handler is AnyMutation {
  return typeof handler === 'object';
}

/** Runs a use case; with an attempt to tell it by, it takes effect once, however often it is sent. */
export async function runUseCase(
  handler: Route['handler'],
  ctx: Ctx,
  input: Input,
  attempt: idempotency.Attempt | null,
): Promise<Outcome> {
  if (!attempt || (isTwoHalves(handler) && handler.onlyAsks?.(input))) {
    const body = isTwoHalves(handler)
      ? await handler.reply(ctx, await commit(handler, ctx, input))
      : await handler(ctx, input);
    return { body, was_replayed: false };
  }
  const replayed = await replay(handler, ctx, input, attempt);
  if (replayed !== undefined) return { body: replayed, was_replayed: true };
  try {
    const body = isTwoHalves(handler)
      ? await commitOnce(handler, ctx, input, attempt)
      : await actOnce(handler, ctx, input, attempt);
    return { body, was_replayed: false };
  } catch (error) {
    if (!(error instanceof idempotency.KeyTaken)) throw error;
    // Another request took the key meanwhile: its reply is ours, or it was refused and the key is free.
    return runUseCase(handler, ctx, input, attempt);
  }
}

/** One transaction: the key where there is one, the change, and what is needed to answer again. */
async function commit(
  handler: AnyMutation,
  ctx: Ctx,
  input: Input,
  attempt?: idempotency.Attempt,
): Promise<unknown> {
  const prepared = await handler.prepare?.(ctx, input);
  return transact(ctx.db, async (tx) => {
    if (attempt) await idempotency.takeKey(tx, attempt);
    const result = await handler.commit(tx, ctx, input, prepared);
    if (attempt) await idempotency.keepResult(tx, attempt, result);
    return result;
  });
}

async function commitOnce(
  handler: AnyMutation,
  ctx: Ctx,
  input: Input,
  attempt: idempotency.Attempt,
): Promise<unknown> {
  const result = await commit(handler, ctx, input, attempt);
  const body = await handler.reply(ctx, result);
  await idempotency.keepReply(ctx.db, attempt, body);
  return body;
}

async function actOnce(
  handler: Action<Endpoint>,
  ctx: Ctx,
  input: Input,
  attempt: idempotency.Attempt,
): Promise<unknown> {
  await transact(ctx.db, (tx) => idempotency.takeKey(tx, attempt));
  try {
    const body = await handler(ctx, input);
    await idempotency.keepReply(ctx.db, attempt, body);
    return body;
  } catch (error) {
    await idempotency.freeKey(ctx.db, attempt);
    throw error;
  }
}

async function replay(
  handler: Route['handler'],
  ctx: Ctx,
  input: Input,
  attempt: idempotency.Attempt,
): Promise<unknown> {
  const found = await idempotency.findAttempt(ctx.db, attempt);
  if (found.kind === 'none') return undefined;
  if (found.kind === 'replied') return found.reply;
  const rebuilt = isTwoHalves(handler)
    ? await handler.reply(ctx, found.result)
    : await handler(ctx, input);
  await idempotency.keepReply(ctx.db, attempt, rebuilt);
  return rebuilt;
}
