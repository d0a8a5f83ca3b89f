import { createHmac } from 'node:crypto';
import { type Endpoint, isMutation, type Parsed } from '@linekeeper/contract/endpoint.ts';
import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx, Services } from '../core/context.ts';
import type { Attempt } from '../core/idempotency.ts';
import { fail } from '../core/refusal.ts';
import { runUseCase } from '../core/run-use-case.ts';
import type { Route } from '../core/use-case.ts';
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
      ...(endpoint.maxBodyBytes ? { bodyLimit: endpoint.maxBodyBytes } : {}),
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
        response: {
          [endpoint.status ?? 200]: endpoint.output,
          '4xx': errorBodySchema,
          '5xx': errorBodySchema,
        },
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
        const attempt = readAttempt(endpoint, request.ctx, input);
        const { body, was_replayed } = await runUseCase(handler, request.ctx, input, attempt);
        if (was_replayed) void reply.header('idempotency-replayed', 'true');
        if (endpoint.contentType) void reply.type(`${endpoint.contentType}; charset=utf-8`);
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
    saveAs: (fileName) =>
      void reply.header('content-disposition', `attachment; filename="${fileName}"`),
  };
}

function admit(endpoint: Endpoint, ctx: Ctx, request: FastifyRequest): void {
  if (isMutation(endpoint)) refuseForeignOrigin(request, ctx.config.public_url);
  if (endpoint.access === 'public') return;
  if (!ctx.signedIn) fail('NO_AUTHENTICATED_USER');
  if (!can(ctx.actor, endpoint.access))
    fail(endpoint.access === 'admin' ? 'ADMIN_ONLY' : 'FORBIDDEN');
}

/** The Idempotency-Key of a request that has one; throws 428 where it is missing and needed. */
function readAttempt(endpoint: Endpoint, ctx: Ctx, input: Parsed<Endpoint>): Attempt | null {
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
