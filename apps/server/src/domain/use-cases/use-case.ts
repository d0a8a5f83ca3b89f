import type { Endpoint, Parsed, ReplyToSend } from '@linekeeper/contract/endpoint.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { PermissionHolder } from '../accounts/authorization.ts';
import type { Audited, NotAudited } from '../audit/audit.ts';
import type { Ctx } from '../context/context.ts';

/** A use case that only reads, or needs no transaction around it. */
export type Action<E extends Endpoint> = (ctx: Ctx, input: Parsed<E>) => Promise<ReplyToSend<E>>;

/**
 * A change in two steps. `commit` runs in one transaction together with the Idempotency-Key and
 * returns everything needed to reply; it is stored, so it must not contain secrets. `reply` runs
 * after the commit and calls card servers; it can run again from the stored result if the process
 * died in between. Decision 0004: a caller who asks again with the same key never pays twice.
 */
export interface Mutation<E extends Endpoint, Result, Prepared = undefined> {
  /** The audit entry, written in the same transaction, or the reason why there is none. */
  audit: Audited<E, Result> | NotAudited;
  /** Slow work before the transaction, such as asking card servers or hashing a password. */
  prepare?(ctx: Ctx, input: Parsed<E>): Promise<Prepared>;
  /**
   * Accounts and groups whose permissions the change may reduce, except the actor. The transaction waits for their
   * running changes before it locks the actor's permissions, so that two actors who reduce each other's do not wait for
   * each other. Called again after the wait, because the result may have changed.
   */
  lessens?(tx: Tx, ctx: Ctx, input: Parsed<E>): Promise<PermissionHolder[]>;
  /**
   * Makes the change. A refusal that is thrown rolls everything back. A refusal that is returned is thrown after the
   * commit: the writes stay, the Idempotency-Key is free, and there is no audit entry.
   */
  commit(
    tx: Tx,
    ctx: Ctx,
    input: Parsed<E>,
    prepared: Prepared,
  ): Promise<Result | Unkept<Result> | Refusal>;
  reply(ctx: Ctx, result: Result, input: Parsed<E>): Promise<ReplyToSend<E>>;
}

/** The result of a request that changed nothing, such as a preview: neither a key nor an audit entry is stored. */
export class Unkept<Result> {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

/** A mutation that replies with its result. */
export type PlainMutation<E extends Endpoint, Prepared = undefined> = Omit<
  Mutation<E, ReplyToSend<E>, Prepared>,
  'reply'
>;

type AnyMutation = Mutation<Endpoint, unknown, unknown>;

/** Any use case in the form in which it runs: an action has no commit, and does its work in `reply`. */
type UseCase = Partial<AnyMutation>;

export interface Route {
  endpoint: Endpoint;
  useCase: UseCase;
  /** How the call is recorded in the audit log; null if the call only reads. */
  audit: Audited<Endpoint, unknown> | NotAudited | null;
}

type Reading = Endpoint & { method: 'GET' };

/**
 * Binds an endpoint to its use case. An endpoint that does more than read needs a mutation, which
 * declares its audit entry, or a reason here why it has none.
 */
export function route<E extends Reading>(endpoint: E, action: Action<E>): Route;
export function route<E extends Endpoint>(endpoint: E, action: Action<E>, audit: NotAudited): Route;
export function route<E extends Endpoint, Result, Prepared>(
  endpoint: E,
  mutation: Mutation<E, Result, Prepared>,
): Route;
export function route<E extends Endpoint, Prepared>(
  endpoint: E,
  mutation: PlainMutation<E, Prepared>,
): Route;
export function route(
  endpoint: Endpoint,
  handler: unknown,
  audit: NotAudited | null = null,
): Route {
  if (typeof handler === 'function') {
    const action = handler as Action<Endpoint>;
    return { endpoint, useCase: { reply: (ctx, _, input) => action(ctx, input) }, audit };
  }
  const mutation = handler as AnyMutation;
  return { endpoint, useCase: mutation, audit: mutation.audit };
}
