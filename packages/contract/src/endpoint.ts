import * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import { id, numberInQuery, searchText } from './fields/fields.ts';
import { strict } from './fields/strict.ts';
import { lazily } from './lazily.ts';
import type { Access } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One API call, declared once: the server mounts it, the browser calls it, and the OpenAPI document is generated from
 * it. The meanings of its fields are in `apps/server/src/http/field-texts.ts`, because no browser needs them. A comment
 * at a field adds what only developers need.
 */
export interface Endpoint {
  /** Unique and in camelCase: the operation id in OpenAPI and in the log. */
  name: string;
  method: Method;
  /** Path with its parameters in braces: /api/lines/{id} */
  path: string;
  /** The effect of the call, as an imperative of a few words. */
  summary: string;
  /** Sentences with the rest of the documentation; the first begins with a verb in the third person. */
  description?: string;
  access: Access;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body of the response. */
  output: z.ZodType;
  /** HTTP status on success; 200 by default. */
  status?: number;
  /** Error codes specific to this call, in addition to those that every call can return. */
  errors?: readonly ErrorCode[];
  /**
   * Content type of the response, JSON by default. For CSV, `output` is the text, sent as a stream. For octets,
   * `output` is a file, sent as a stream with the file's own type.
   */
  contentType?: 'text/csv' | 'application/octet-stream';
  /**
   * The maximum size in bytes of the one file that the call takes, as the part `file` of multipart/form-data instead
   * of JSON.
   */
  takesFile?: { maxBytes: number };
  /** Maximum size of the request body in bytes; the server's general limit by default. */
  maxBodyBytes?: number;
  /** Allows a longer statement timeout, for calls that work on many rows. */
  hasLongStatements?: boolean;
  /** Refuses the call without an Idempotency-Key header. */
  needsIdempotencyKey?: boolean;
  /** Refuses API keys with 403: keys, passwords, email, two-factor and sessions belong to a person. */
  needsSession?: boolean;
  /** True if an API key of kind backup may make this call; no other call accepts such a key. */
  takesBackupKey?: boolean;
  /** True if the response has a secret, so that it is never stored for a retry with the same Idempotency-Key. */
  repliesWithSecret?: boolean;
  /** True if the response has a secret and has to be repeated: a retry gets it made again from the stored result. */
  repliesAnew?: boolean;
  /** Error code for 404 if the record of the path does not exist, or the caller may not see it. */
  notFoundCode?: ErrorCode;
  /** The single code with which the request is refused if required fields are missing. */
  missingFieldsCode?: ErrorCode;
  /** Error code for 401; NO_AUTHENTICATED_USER by default. */
  signedOutCode?: ErrorCode;
  /** Error code for 403; ADMIN_ONLY or FORBIDDEN by default. */
  forbiddenCode?: ErrorCode;
  /** Error code for 503 when the database fails; DATABASE_UNAVAILABLE by default. */
  databaseErrorCode?: ErrorCode;
  /** Error code for every status from 500 on; the cause is its `reason`. */
  failureCode?: ErrorCode;
}

/** Codes of refusals before the use case runs: the endpoint's own, otherwise the defaults for its kind of access. */
export function refusalsOf({
  access,
  signedOutCode = 'NO_AUTHENTICATED_USER',
  forbiddenCode = access === 'admin' ? 'ADMIN_ONLY' : 'FORBIDDEN',
  databaseErrorCode = 'DATABASE_UNAVAILABLE',
}: Pick<Endpoint, 'access' | 'signedOutCode' | 'forbiddenCode' | 'databaseErrorCode'>) {
  return { signedOut: signedOutCode, forbidden: forbiddenCode, databaseAway: databaseErrorCode };
}

type Declaration = Omit<Endpoint, 'name' | 'method' | 'path'>;
type Route = `${Method} /api/${string}`;
type Declared<D, R> = D & { name: string; method: MethodOf<R>; path: string };
type MethodOf<R> = R extends `${infer M extends Method} ${string}` ? M : never;

/**
 * Declares an endpoint by name and route, 'GET /api/lines/{id}'. Its body and query refuse unknown
 * fields at any depth. These schemas are made when they are first read, which a browser never does.
 * Decision 0002: a call is data, so there is no generated client that could be out of date.
 */
export function endpoint<const R extends Route, const D extends Declaration>(
  name: string,
  route: R,
  definition: D,
): Declared<D, R> {
  const [method, path] = route.split(' ') as [MethodOf<R>, string];
  const declared = { name, method, path, ...definition };
  for (const part of ['body', 'query'] as const) {
    const schema = definition[part];
    if (!schema) continue;
    Object.defineProperty(declared, part, { get: lazily(() => strict(schema)), enumerable: true });
  }
  return declared;
}

type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A file during its upload. */
export interface ArrivingFile {
  /** The name of the file as its sender gives it. */
  name: string;
  /** The most bytes that a file of this request can have. */
  most_bytes: number;
  /** The file's bytes. Ends once the whole request has arrived; throws if the request has another part. */
  parts: AsyncIterable<Uint8Array>;
}

/** A file that a reply sends. */
export interface DownloadedFile {
  name: string;
  type: string;
  size: number;
  parts: AsyncIterable<Uint8Array>;
}

/** The input of a handler, parsed and with defaults filled in. */
export type Parsed<E extends Endpoint> = {
  params: OutputOf<E['params']>;
  query: OutputOf<E['query']>;
  body: E extends { takesFile: object } ? ArrivingFile : OutputOf<E['body']>;
};

type Given<Name extends string, S> = S extends z.ZodType
  ? Record<string, never> extends z.input<S>
    ? { [N in Name]?: z.input<S> }
    : { [N in Name]: z.input<S> }
  : unknown;

export type CallInput<E extends Endpoint> = Given<'params', E['params']> &
  Given<'query', E['query']> &
  Given<'body', E['body']>;

export type Reply<E extends Endpoint> = z.output<E['output']>;
export type ReplyToSend<E extends Endpoint> = E extends { contentType: 'text/csv' }
  ? AsyncIterable<string>
  : E extends { contentType: 'application/octet-stream' }
    ? DownloadedFile
    : z.input<E['output']>;
export type Body<E extends Endpoint> = E['body'] extends z.ZodType ? z.input<E['body']> : undefined;

/** An object that the API's documentation describes once, under this name. */
export function entity<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.object(shape).meta({ id });
}

/** The body of a response that only reports success. */
export const done = z.object({ success: z.literal(true) });

/** Options that calls about one record share. By default, an invalid id is refused like an unknown one. */
export function ofRecord<const Who extends Access>(
  access: Who,
  notFoundCode: ErrorCode,
  recordId: z.ZodType<string, string> = id(notFoundCode),
) {
  return { access, notFoundCode, params: z.object({ id: recordId }) };
}

/** Access of calls for people only: no API key may make them. */
export const ofPerson = { access: 'account', needsSession: true } as const;

/** Options that downloads as CSV share. */
export const csvReply = {
  hasLongStatements: true,
  output: z.string(),
  contentType: 'text/csv',
} as const;

/** Options that calls which create something share. A request that is repeated with its key creates nothing more. */
export const creation = { status: 201, needsIdempotencyKey: true } as const;

/** True for a mutation, which is logged, protected against CSRF and accepts an Idempotency-Key. */
export function isMutation(e: Pick<Endpoint, 'method'>): boolean {
  return e.method !== 'GET';
}

const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;

/** Characters of a cursor, at most: it has the sort value of a row, which may be a long name in any script. */
const MAX_CURSOR_LENGTH = 2000;

/** The query of every list. `sort` is a field of `sortable`; a leading minus means descending. */
export function listQuery<
  const Sort extends readonly [string, ...string[]],
  Filters extends z.ZodRawShape,
>(sortable: Sort, defaultSort: `${'-' | ''}${Sort[number]}`, filters: Filters) {
  const orders = sortable.flatMap((field) => [field, `-${field}`]) as [string, ...string[]];
  return z.object({
    limit: numberInQuery(1, MAX_PAGE_SIZE)
      .default(DEFAULT_PAGE_SIZE)
      .describe('How many rows a page has at most'),
    cursor: z
      .string()
      .max(MAX_CURSOR_LENGTH)
      .optional()
      .describe('`next_cursor` of the previous page'),
    sort: z.enum(orders).default(defaultSort).describe('A leading minus means descending'),
    q: searchText.optional().describe('What to search for'),
    ...filters,
  });
}

/** The highest total that is counted. A total of this value means "this many or more". */
export const MOST_COUNTED = 10_000;

/** A page of a list. `total` is counted up to 10,000 and is given on the first page only. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    next_cursor: z.string().nullable(),
    total: z.number().int().nullable(),
    total_is_exact: z.boolean().nullable(),
  });
}
