import * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import { STORABLE } from './fields.ts';
import type { Access } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What both sides promise about one call. The server mounts it, the browser calls it, the
 * documentation is made from it.
 */
export interface Endpoint {
  /** Unique, in camelCase: the operation's name in the documentation and in the log. */
  name: string;
  method: Method;
  /** With parameters in braces: /api/lines/{id} */
  path: string;
  summary: string;
  access: Access;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The reply's body. */
  output: z.ZodType;
  /** HTTP status of success; 200 unless said. */
  status?: number;
  /** The refusals that belong to this call, beside those every call can give. */
  errors?: readonly ErrorCode[];
  /** Of the reply; JSON unless said. Then the output is the text itself. */
  contentType?: 'text/csv';
  /** What a request's body may measure; the server's own limit unless said. */
  maxBodyBytes?: number;
  /** Whether the call is refused without an Idempotency-Key. */
  needsIdempotencyKey?: boolean;
  /** Whether the reply holds a secret: then it is not kept for a repetition, whatever key was sent. */
  repliesWithSecret?: boolean;
  /** Wrong input with these field codes is reported under one code of the whole request. */
  missingFieldsCode?: ErrorCode;
  /** What a caller is told where the database fails; DATABASE_UNAVAILABLE unless said. */
  databaseErrorCode?: ErrorCode;
}

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined;
type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler gets: parsed and complete. */
export type Parsed<E extends Endpoint> = {
  params: OutputOf<E['params']>;
  query: OutputOf<E['query']>;
  body: OutputOf<E['body']>;
};

type Given<Name extends string, S> = S extends z.ZodType
  ? Record<string, never> extends z.input<S>
    ? { [N in Name]?: z.input<S> }
    : { [N in Name]: z.input<S> }
  : unknown;

/** What a caller gives. */
export type CallInput<E extends Endpoint> = Given<'params', E['params']> &
  Given<'query', E['query']> &
  Given<'body', E['body']>;

export type Reply<E extends Endpoint> = z.output<E['output']>;
export type ReplyToSend<E extends Endpoint> = z.input<E['output']>;
export type Body<E extends Endpoint> = InputOf<E['body']>;

/** A mutation changes something: it is logged, guarded against other sites and takes an Idempotency-Key. */
export function isMutation(e: Endpoint): boolean {
  return e.method !== 'GET';
}

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;

/** A cursor holds the last row's sort value: room for the longest of names in any script. */
const MAX_CURSOR_LENGTH = 2000;

/** The query of every list; `sort` is a field of `sortable`, with a minus for descending. */
export function listQuery<
  const Sort extends readonly [string, ...string[]],
  Filters extends z.ZodRawShape,
>(sortable: Sort, defaultSort: `${'-' | ''}${Sort[number]}`, filters: Filters) {
  const orders = sortable.flatMap((field) => [field, `-${field}`]) as [string, ...string[]];
  return z.object({
    limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
    cursor: z.string().max(MAX_CURSOR_LENGTH).optional(),
    sort: z.enum(orders).default(defaultSort),
    q: z.string().trim().max(100).regex(STORABLE).optional(),
    ...filters,
  });
}

/** Where counting ends: a figure that says this means as many or more. */
export const MOST_COUNTED = 10_000;

/** A page of a list. `total` is counted up to 10,000, on the first page; later pages repeat nothing. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    next_cursor: z.string().nullable(),
    total: z.number().int().nullable(),
    total_is_exact: z.boolean().nullable(),
  });
}
