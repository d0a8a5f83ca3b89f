import type { Endpoint, Parsed, ReplyToSend } from '@linekeeper/contract/endpoint.ts';
import type { Tx } from '../db/transaction.ts';
import type { Ctx } from './context.ts';

/** Reads, or does what needs no transaction of its own. */
export type Action<E extends Endpoint> = (ctx: Ctx, input: Parsed<E>) => Promise<ReplyToSend<E>>;

/**
 * A change in two halves. `commit` runs in one transaction together with the Idempotency-Key and
 * returns what is needed to answer, without secrets: it is stored. `reply` runs after the commit,
 * calls card servers, and can be run again from the stored result where a process died in between.
 */
export interface Mutation<E extends Endpoint, Result, Prepared = undefined> {
  /** Whether this request only asks: nothing is stored, so its Idempotency-Key is not taken either. */
  onlyAsks?(input: Parsed<E>): boolean;
  /** Slow work that needs no transaction, such as hashing a password. */
  prepare?(ctx: Ctx, input: Parsed<E>): Promise<Prepared>;
  commit(tx: Tx, ctx: Ctx, input: Parsed<E>, prepared: Prepared): Promise<Result>;
  reply(ctx: Ctx, result: Result): Promise<ReplyToSend<E>>;
}

export interface Route {
  endpoint: Endpoint;
  handler: Action<Endpoint> | Mutation<Endpoint, unknown, unknown>;
}

/** Binds a call of the contract to its use case. */
export function route<E extends Endpoint, Result, Prepared>(
  endpoint: E,
  handler: Action<E> | Mutation<E, Result, Prepared>,
): Route {
  return { endpoint, handler: handler as unknown as Route['handler'] };
}
