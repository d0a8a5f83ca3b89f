import type { CallInput, Endpoint, Reply } from '@linekeeper/contract/endpoint.ts';
import type { ErrorData } from '@linekeeper/contract/errors.ts';
import { reportReachable } from '#platform/browser/connection.ts';

/** An error reply, or a request without a reply (status 0, code NETWORK). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly data: ErrorData;
  readonly fields: Record<string, string> | undefined;
  readonly requestId: string | null;

  constructor(refusal: {
    status: number;
    code: string;
    message: string;
    data?: ErrorData | undefined;
    fields?: Record<string, string> | undefined;
    requestId?: string | null;
  }) {
    super(refusal.message);
    this.status = refusal.status;
    this.code = refusal.code;
    this.data = refusal.data ?? {};
    this.fields = refusal.fields;
    this.requestId = refusal.requestId ?? null;
  }
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /**
   * Use the same key for all attempts at one action, so that a repeated sale is charged only once.
   */
  idempotencyKey?: string;
}

interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/**
 * Calls an endpoint of the contract. Throws ApiError, or the reason of an abort. The reply is not
 * validated.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input?: CallInput<E>,
  options: CallOptions = {},
): Promise<Reply<E>> {
  const { params = {}, query = {}, body } = (input ?? {}) as LooseInput;
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  const key =
    options.idempotencyKey ?? (endpoint.needsIdempotencyKey ? newIdempotencyKey() : undefined);
  if (key) headers.set('idempotency-key', key);

  const address = addressOf(endpoint.path, params, query);
  const init: RequestInit = {
    method: endpoint.method,
    headers,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  };
  const response = await send(address, init, fetchCall);
  const reply = await readJson(response);
  if (!response.ok) throw refusalOf(response, reply);
  return reply as Reply<E>;
}

/** The address of an endpoint, for requests by the browser itself such as downloads. */
export function addressOfCall<E extends Endpoint>(endpoint: E, input?: CallInput<E>): string {
  const { params = {}, query = {} } = (input ?? {}) as LooseInput;
  return addressOf(endpoint.path, params, query);
}

function addressOf(
  path: string,
  params: Record<string, unknown>,
  query: Record<string, unknown>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text ? `${filled}?${text}` : filled;
}

type Fetch = (address: string, init: RequestInit) => Promise<Response>;

let fetchCall: Fetch = (address, init) => fetch(address, init);

/** Lets the start of the app replace the function that sends calls, see platform/start. */
export function sendCallsBy(other: Fetch): void {
  fetchCall = other;
}

/**
 * Sends a request. A change that could not be sent is not queued, because only the person who made it knows whether it is
 * still wanted. Throws NETWORK.
 */
export async function send(
  address: string,
  init: RequestInit,
  fetchReply: Fetch = fetch,
): Promise<Response> {
  try {
    const response = await fetchReply(address, init);
    reportReachable(true);
    return response;
  } catch (cause) {
    // An aborted request proves nothing about the connection.
    if (init.signal?.aborted) throw cause;
    reportReachable(false);
    throw unreachable();
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    const text = await response.text();
    return text ? JSON.parse(text) : null;
  } catch {
    if (response.ok) throw unreachable();
    return null;
  }
}

export function unreachable(): ApiError {
  return new ApiError({ status: 0, code: 'NETWORK', message: 'The panel cannot be reached' });
}

/**
 * True for the error of something that was deleted, that the account may not see, or whose id is invalid. Retrying does
 * not help.
 */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && [400, 403, 404, 422].includes(error.status);
}

export function refusalOf(response: Response, reply: unknown): ApiError {
  const body = (typeof reply === 'object' && reply !== null ? reply : {}) as {
    code?: string;
    message?: string;
    data?: ErrorData;
    fields?: Record<string, string>;
  };
  const retryAfter = Number(response.headers.get('retry-after'));
  return new ApiError({
    status: response.status,
    code: body.code ?? 'INTERNAL_ERROR',
    message: body.message ?? `HTTP ${response.status}`,
    data: retryAfter > 0 ? { retry_after: retryAfter, ...body.data } : body.data,
    fields: body.fields,
    requestId: response.headers.get('x-request-id'),
  });
}

/**
 * A random key for a request that must not be carried out twice. `crypto.randomUUID` is not used, because it requires
 * HTTPS, and a panel may be served over plain HTTP.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
