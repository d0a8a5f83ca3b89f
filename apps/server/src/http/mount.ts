import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { MIMEType } from 'node:util';
import { scopeOf } from '@linekeeper/contract/auth/scopes.ts';
import {
  type DownloadedFile,
  type Endpoint,
  isMutation,
  type Parsed,
  refusalsOf,
} from '@linekeeper/contract/endpoint.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { withLongStatements } from '../db/deadline.ts';
import type { Ctx, Services } from '../domain/context/context.ts';
import type { IdempotentRequest } from '../domain/use-cases/idempotency.ts';
import { runUseCase } from '../domain/use-cases/run-use-case.ts';
import type { Route } from '../domain/use-cases/use-case.ts';
import { fail, failFields } from '../platform/errors/refusal.ts';
import { networkOf } from '../platform/network.ts';
import { errorBodySchema } from './documentation.ts';
import { InvalidInput } from './errors.ts';
import { CallLimiter, type CallSlot } from './hardening/call-limiter.ts';
import { readCaller, refuseForeignOrigin, renewedCookie } from './session.ts';
import { takeUploads, withUpload } from './upload.ts';

/** Nested levels of a body, at most; no endpoint needs as many. */
const MAX_DEPTH = 32;

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Checks the depth iteratively, because later code is recursive and thousands of levels would
 * overflow its stack. Throws TOO_DEEP.
 */
function refuseDeepBody(body: unknown): void {
  let level = isHolder(body) ? [body] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) fail('TOO_DEEP', { maximum: MAX_DEPTH });
    level = level.flatMap((holder) => Object.values(holder).filter(isHolder));
  }
}

/** Throws NOT_JSON for a charset other than UTF-8, because the body is always decoded as UTF-8. */
function refuseOtherCharset({ body, headers }: Pick<FastifyRequest, 'body' | 'headers'>) {
  const type = headers['content-type'];
  if (body === undefined || !type) return;
  const charset = new MIMEType(type).params.get('charset') ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) fail('NOT_JSON');
}

/** Removes the content type of a request without a body: generated clients announce JSON with every call. */
function ignoreTypeOfNothing({ headers }: FastifyRequest): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  if (length === '0' && encoding === undefined) delete headers['content-type'];
}

/** A missing body counts as an empty object, so that its missing fields are reported. Throws BODY_NOT_OBJECT. */
function objectOf(body: unknown): object {
  if (body === undefined) return {};
  return isHolder(body) && !Array.isArray(body) ? body : fail('BODY_NOT_OBJECT');
}

const noFields = z.strictObject({});

/** For endpoints without a body: accepts no body or an empty one, and throws BODY_NOT_OBJECT or VALIDATION_FAILED. */
function refuseAnyField(body: unknown): undefined {
  if (body === undefined || body === null) return undefined;
  const { error } = noFields.safeParse(objectOf(body));
  if (error) throw new InvalidInput(error.issues);
  return undefined;
}

const MAX_KEY_LENGTH = 255;

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    ctx: Ctx;
    slot: CallSlot | null;
  }
}

/**
 * Mounts a feature's routes. Session, access, input and Idempotency-Key are checked before the use
 * case runs.
 */
export function mount(app: FastifyInstance, services: Services, routes: readonly Route[]): void {
  const bounds = new CallLimiter();
  const uploads = routes.filter(({ endpoint }) => endpoint.takesFile);
  void app.register(async (scope) => {
    await takeUploads(scope);
    mountAll(scope, services, bounds, uploads);
  });
  const others = routes.filter(({ endpoint }) => !endpoint.takesFile);
  mountAll(app, services, bounds, others);
}

function mountAll(
  app: FastifyInstance,
  services: Services,
  bounds: CallLimiter,
  routes: readonly Route[],
): void {
  for (const route of routes) {
    const { endpoint } = route;
    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      bodyLimit: endpoint.maxBodyBytes,
      // A HEAD request for a secret would show nothing, but add an entry to the audit log.
      exposeHeadRoute: !endpoint.repliesWithSecret,
      // A file is sent without compression, so that its length is known.
      compress: endpoint.contentType === 'application/octet-stream' ? false : undefined,
      config: { endpoint },
      schema: {
        summary: endpoint.summary,
        description: endpoint.description,
        operationId: endpoint.name,
        tags: [endpoint.path.split('/')[2] ?? ''],
        ...(endpoint.params ? { params: endpoint.params } : {}),
        querystring: endpoint.query ?? noFields,
        ...(endpoint.body ? { body: endpoint.body } : {}),
        response: {
          [endpoint.status ?? 200]: endpoint.output,
          '4xx': errorBodySchema,
          '5xx': errorBodySchema,
        },
      },
      onRequest: async (request, reply) => {
        if (!endpoint.body) ignoreTypeOfNothing(request);
        request.ctx = await buildContext(services, endpoint, request, reply);
        admit(endpoint, request.ctx, request);
        const { signedIn } = request.ctx;
        request.slot = signedIn && (await bounds.enter(endpoint, signedIn.id, reply.raw));
        if (reply.raw.destroyed) return reply.hijack();
        if (!request.slot?.has_waited) return;
        // The context is built again, because the session may have ended or lost permissions while the call waited.
        request.ctx = await buildContext(services, endpoint, request, reply);
        admit(endpoint, request.ctx, request);
      },
      preValidation: async (request) => {
        refuseDeepBody(request.body);
        refuseOtherCharset(request);
        request.body = endpoint.body ? objectOf(request.body) : refuseAnyField(request.body);
      },
      handler: async (request, reply) => {
        const { takesFile } = endpoint;
        const answer = () =>
          takesFile
            ? withUpload(request, takesFile.maxBytes, (file) => runCall(route, request, file))
            : runCall(route, request, request.body);
        const { body, was_replayed } = await (request.slot?.during(answer) ?? answer());
        if (was_replayed) void reply.header('idempotency-replayed', 'true');
        return send(reply, endpoint, body);
      },
    });
  }
}

/** A client that reads nothing for this long is considered gone, even if its connection is open. */
const READER_MAY_PAUSE_MS = 60_000;

/**
 * Sends a file that a user uploaded as a download. If a browser showed it as a page after all, it
 * would have no scripts and a separate origin.
 */
function sendDownload(
  reply: FastifyReply,
  { name, type, size, parts }: DownloadedFile,
): FastifyReply {
  return reply
    .type(type.startsWith('text/') ? `${type}; charset=utf-8` : type)
    .headers({
      'content-length': size,
      'content-disposition': asAttachment(name),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
    .send(Readable.from(parts, { objectMode: false }));
}

/** The header for a download. For old clients a name in ASCII comes first. */
function asAttachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["%\\]/gu, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Sends a response. Files are sent as fast as the client reads, and their parts are generated only when needed. */
function send(reply: FastifyReply, { contentType, status = 200 }: Endpoint, body: unknown) {
  if (!contentType) return reply.status(status).send(body);
  reply.raw.setTimeout(READER_MAY_PAUSE_MS, () => reply.raw.destroy());
  if (contentType === 'application/octet-stream')
    return sendDownload(reply, body as DownloadedFile);
  const text = Readable.from(body as AsyncIterable<string>);
  return reply.type(`${contentType}; charset=utf-8`).send(text);
}

function runCall(route: Route, request: FastifyRequest, body: unknown) {
  const { endpoint } = route;
  const { params, query } = request;
  const input = { params, query, body } as Parsed<Endpoint>;
  const idempotentRequest = readIdempotentRequest(endpoint, request.ctx, input);
  const run = () => runUseCase(route, request.ctx, input, idempotentRequest);
  return endpoint.hasLongStatements ? withLongStatements(run) : run();
}

async function buildContext(
  services: Services,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Ctx> {
  const { takesBackupKey } = endpoint;
  const scope = scopeOf(endpoint);
  const caller = await readCaller(services, request, { takesBackupKey, scope });
  const signedIn = caller?.actor ?? null;
  const setCookie = (header: string) => void reply.header('set-cookie', header);
  if (caller?.was_prolonged) setCookie(renewedCookie(services.auth, request) ?? '');
  return {
    ...services,
    log: request.log,
    signedIn,
    profile: caller?.profile ?? null,
    get actor() {
      return signedIn ?? fail(refusalsOf(endpoint).signedOut);
    },
    session_id: caller && !caller.key_kind ? caller.id : null,
    api_key_id: caller?.key_kind ? caller.id : null,
    sees_codes: caller?.key_scopes?.includes('admin') ?? true,
    address: request.ip,
    network: networkOf(request.ip),
    // `ips` has more than one address only if the request came through a trusted proxy.
    is_proxied: (request.ips?.length ?? 0) > 1,
    request_id: request.id,
    headers: {
      get: (name) => {
        const value = request.headers[name];
        return typeof value === 'string' ? value : null;
      },
    },
    setCookie,
    saveAs: (fileName) =>
      void reply.header('content-disposition', `attachment; filename="${fileName}"`),
  };
}

/**
 * Throws FOREIGN_ORIGIN, SESSION_REQUIRED, or the endpoint's refusals for visitors and for accounts without the
 * permission.
 */
function admit(endpoint: Endpoint, ctx: Ctx, request: FastifyRequest): void {
  // Reading a secret is audited, so no other site may cause it. Another site cannot make a browser send an API key.
  const isAct = isMutation(endpoint) || endpoint.repliesWithSecret;
  if (isAct && !ctx.api_key_id) refuseForeignOrigin(request, ctx.config.public_url);
  if (endpoint.needsSession && ctx.api_key_id) fail('SESSION_REQUIRED');
  if (endpoint.access === 'public') return;
  const { signedOut, forbidden } = refusalsOf(endpoint);
  if (!ctx.signedIn) fail(signedOut);
  if (!can(ctx.actor, endpoint.access)) fail(forbidden);
}

/** Throws IDEMPOTENCY_KEY_REQUIRED for a missing key, and VALIDATION_FAILED for one that is too long. */
function readIdempotentRequest(
  endpoint: Endpoint,
  ctx: Ctx,
  input: Parsed<Endpoint>,
): IdempotentRequest | null {
  if (!isMutation(endpoint) || endpoint.repliesWithSecret || !ctx.signedIn) return null;
  // With a file, the key would have to be compared with a body that has not arrived yet.
  if (endpoint.takesFile) return null;
  const key = ctx.headers.get('idempotency-key');
  if (!key) return endpoint.needsIdempotencyKey ? fail('IDEMPOTENCY_KEY_REQUIRED') : null;
  if (key.length > MAX_KEY_LENGTH) {
    const tooLong = { code: 'TOO_LONG', data: { maximum: MAX_KEY_LENGTH } } as const;
    failFields({ code: 'VALIDATION_FAILED', data: {} }, new Map([['idempotency-key', tooLong]]));
  }
  return {
    account_id: ctx.signedIn.id,
    endpoint: endpoint.name,
    key,
    // The hash is an HMAC, because a plain hash of a body could be compared with likely passwords.
    body_hash: createHmac('sha256', ctx.secrets.sessionKey)
      .update(JSON.stringify([input.params ?? null, input.body ?? null]))
      .digest('base64'),
  };
}
