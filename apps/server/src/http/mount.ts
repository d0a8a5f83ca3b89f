import { createHmac } from 'node:crypto';
import { type Endpoint, isMutation, type Parsed } from '@linekeeper/contract/endpoint.ts';
import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx, Services } from '../core/context.ts';
import * as idempotency from '../core/idempotency.ts';
import { fail } from '../core/refusal.ts';
import type { Action, Mutation, Route } from '../core/use-case.ts';
import { transact } from '../db/transaction.ts';
import { errorBodySchema } from './documentation.ts';
import { refuseForeignOrigin } from './origin.ts';
import { readSession, renewedCookie } from './session.ts';

const MAX_KEY_LENGTH = 255;

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
    /** What a caller is told where the database fails under this route. */
    databaseErrorCode?: ErrorCode;
  }
  interface FastifyRequest {
    ctx: Ctx;
  }
}

/** Mounts a feature's routes: session, access, input and Idempotency-Key are done before a use case runs. */
export function mount(app: FastifyInstance, services: Services, routes: readonly Route[]): void {
  for (const { endpoint, handler } of routes) {
    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      config: {
        endpoint,
        ...(endpoint.databaseErrorCode ? { databaseErrorCode: endpoint.databaseErrorCode } : {}),
      },
      schema: {
        summary: endpoint.summary,
        operationId: endpoint.name,
        tags: [endpoint.path.split('/')[2] ?? ''],
        ...(endpoint.params ? { params: endpoint.params } : {}),
        ...(endpoint.query ? { querystring: endpoint.query } : {}),
        ...(endpoint.body ? { body: endpoint.body } : {}),
        response: { [endpoint.status ?? 200]: endpoint.output, '4xx': errorBodySchema },
      },
      onRequest: async (request, reply) => {
        request.ctx = await buildContext(services, request, reply);
        admit(endpoint, request.ctx, request);
      },
      preValidation: async (request) => {
        // A missing body is an empty one: the fields it lacks are named.
        if (endpoint.body) request.body ??= {};
      },
      handler: async (request, reply) => {
        const { params, query, body: given } = request;
        const input = { params, query, body: given } as Parsed<Endpoint>;
        const body = await run(endpoint, handler, request.ctx, input, reply);
        return reply.status(endpoint.status ?? 200).send(body);
      },
    });
  }
}

async function buildContext(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Ctx> {
  const session = await readSession(services, request);
  const signedIn = session?.actor ?? null;
  const setCookie = (header: string) => void reply.header('set-cookie', header);
  if (session?.was_prolonged) setCookie(renewedCookie(services.auth, request) ?? '');
  return {
    ...services,
    log: request.log,
    signedIn,
    get actor() {
      return signedIn ?? fail('NO_AUTHENTICATED_USER');
    },
    session_id: session?.id ?? null,
    address: request.ip,
    headers: new Headers(
      Object.entries(request.headers).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as [string, string]] : [],
      ),
    ),
    setCookie,
  };
}

function admit(endpoint: Endpoint, ctx: Ctx, request: FastifyRequest): void {
  if (isMutation(endpoint)) refuseForeignOrigin(request, ctx.config.public_url);
  if (endpoint.access === 'public') return;
  if (!ctx.signedIn) fail('NO_AUTHENTICATED_USER');
  if (!can(ctx.actor, endpoint.access))
    fail(endpoint.access === 'admin' ? 'ADMIN_ONLY' : 'FORBIDDEN');
}

function isTwoHalves(handler: Route['handler']): handler is Mutation<Endpoint, unknown> {
  return typeof handler === 'object';
}

async function run(
  endpoint: Endpoint,
  handler: Route['handler'],
  ctx: Ctx,
  input: Parsed<Endpoint>,
  reply: FastifyReply,
): Promise<unknown> {
  const attempt = readAttempt(endpoint, ctx, input);
  if (!attempt) {
    if (!isTwoHalves(handler)) return handler(ctx, input);
    return handler.reply(ctx, await transact(ctx.db, (tx) => handler.commit(tx, ctx, input)));
  }
  const replayed = await replay(handler, ctx, input, attempt);
  if (replayed !== undefined) {
    void reply.header('idempotency-replayed', 'true');
    return replayed;
  }
  try {
    return isTwoHalves(handler)
      ? await commitOnce(handler, ctx, input, attempt)
      : await actOnce(handler, ctx, input, attempt);
  } catch (error) {
    if (!(error instanceof idempotency.KeyTaken)) throw error;
    // Another request took the key meanwhile: its reply is ours, or it was refused and the key is free.
    return run(endpoint, handler, ctx, input, reply);
  }
}

/** The Idempotency-Key of a request that has one; throws 428 where it is missing and needed. */
function readAttempt(
  endpoint: Endpoint,
  ctx: Ctx,
  input: Parsed<Endpoint>,
): idempotency.Attempt | null {
  if (!isMutation(endpoint) || endpoint.repliesWithSecret || !ctx.signedIn) return null;
  const key = ctx.headers.get('idempotency-key');
  if (!key) return endpoint.needsIdempotencyKey ? fail('IDEMPOTENCY_KEY_REQUIRED') : null;
  if (key.length > MAX_KEY_LENGTH) fail('VALIDATION_FAILED');
  return {
    account_id: ctx.signedIn.id,
    endpoint: endpoint.name,
    key,
    // Keyed: a plain hash of a body could be tried against likely passwords.
    body_hash: createHmac('sha256', ctx.secrets.sessionKey)
      .update(JSON.stringify([input.params ?? null, input.body ?? null]))
      .digest('base64'),
  };
}

async function replay(
  handler: Route['handler'],
  ctx: Ctx,
  input: Parsed<Endpoint>,
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

async function commitOnce(
  handler: Mutation<Endpoint, unknown>,
  ctx: Ctx,
  input: Parsed<Endpoint>,
  attempt: idempotency.Attempt,
): Promise<unknown> {
  const result = await transact(ctx.db, async (tx) => {
    await idempotency.takeKey(tx, attempt);
    const outcome = await handler.commit(tx, ctx, input);
    await idempotency.keepResult(tx, attempt, outcome);
    return outcome;
  });
  const body = await handler.reply(ctx, result);
  await idempotency.keepReply(ctx.db, attempt, body);
  return body;
}

async function actOnce(
  handler: Action<Endpoint>,
  ctx: Ctx,
  input: Parsed<Endpoint>,
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
