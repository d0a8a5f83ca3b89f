import * as z from 'zod';
import { csvReply, listQuery, page } from '../endpoint.ts';
import { dayOr, flag, invalid, numberInQuery, searchText, yesOrNo } from '../fields/fields.ts';
import { lazily } from '../lazily.ts';

/**
 * A list is declared once: its filters, columns, sort fields and ready-made views. Screen URLs, API
 * queries, stored views, the filter panel, chips and bulk selection all read this declaration.
 */

/** Maximum values of one filter, to keep URLs and SQL statements short. */
export const MAX_FILTER_VALUES = 20;
const MAX_DAYS = 36_500;

export interface Filter<
  Field extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  kind: 'choice' | 'id' | 'flag' | 'days' | 'day';
  /** The name of the parameter in the API; the address of the screen uses the filter's key. */
  field: Field;
  /** Accepts several values, combined with OR. */
  several: boolean;
  /** One value as text, as it appears in the URL. */
  value: z.ZodType<string>;
  /** All values of a fixed, small set. */
  values?: readonly string[];
  /** The value that pages send to the API if their address does not have the filter. */
  unset?: string | boolean;
  query: Query;
  body: Body;
}

/**
 * The schemas of a filter, made when they are first needed: a browser reads the declarations of all
 * lists at its start, and checks the values of hardly any list.
 */
function lazySchemas<Query, Body>(make: () => { query: Query; body: Body }) {
  const schemas = lazily(make);
  return {
    get query() {
      return schemas().query;
    },
    get body() {
      return schemas().body;
    },
  };
}

/**
 * Several values: comma-separated in a query, or an array in a body. An empty value is refused like
 * an unknown one. A problem is reported under the filter's name instead of an array index.
 */
function severalOf<Value extends string>(value: z.ZodType<Value>, documented: Documented) {
  const split = (text: string) => [...new Set(text.split(','))];
  const several = z
    .array(z.string(invalid).meta(documented), invalid)
    .min(1, invalid)
    .max(MAX_FILTER_VALUES, { error: 'TOO_MANY_VALUES' })
    .superRefine((values, check) => {
      const [problem] = values.flatMap((one) => value.safeParse(one).error?.issues ?? []);
      if (problem) check.addIssue({ code: 'custom', message: problem.message });
    });
  const query = z
    .string(invalid)
    .meta({ description: 'One value or several, separated by commas' })
    .transform(split)
    .pipe(several);
  const body = z.preprocess((given) => (typeof given === 'string' ? split(given) : given), several);
  return {
    query: query as unknown as z.ZodType<Value[], string>,
    body: body as unknown as z.ZodType<Value[], string | readonly Value[]>,
  };
}
type Documented = Record<string, unknown>;

/** A filter for one or several values of a fixed set. */
export function choiceFilter<const Field extends string, const Value extends string>(
  field: Field,
  values: readonly Value[],
) {
  const value = z.enum(
    values as readonly [Value, ...Value[]],
    invalid,
  ) as unknown as z.ZodType<Value>;
  return Object.assign(
    lazySchemas(() => severalOf(value, { enum: [...values] })),
    { kind: 'choice' as const, field, several: true, value: value as z.ZodType<string>, values },
  ) satisfies Filter;
}

const code = z.string().regex(/^[a-z_]{1,40}\.[a-z_]{1,40}$/) as z.ZodType<string>;

/**
 * A filter for one or several values of a large set of codes, which the list's own call declares. No browser needs the set
 * at its start.
 */
export function codeFilter<const Field extends string>(field: Field) {
  return Object.assign(idFilter(field, code, {}), { kind: 'choice' as const }) satisfies Filter;
}

/** A filter for one or several stored records, such as servers, by id. */
export function idFilter<const Field extends string>(
  field: Field,
  id: z.ZodType<string>,
  documented: Documented = { format: 'uuid' },
) {
  return Object.assign(
    lazySchemas(() => severalOf(id, documented)),
    { kind: 'id' as const, field, several: true, value: id },
  ) satisfies Filter;
}

/** A filter for a single id, for a list in which two would make no sense. */
export function oneIdFilter<const Field extends string>(
  field: Field,
  id: z.ZodType<string, string>,
) {
  return {
    kind: 'id' as const,
    field,
    several: false,
    value: id,
    query: id,
    body: id,
  } satisfies Filter;
}

/** A filter for yes or no. */
export function flagFilter<const Field extends string>(field: Field) {
  return {
    kind: 'flag' as const,
    field,
    several: false,
    value: z.enum(['true', 'false']) as z.ZodType<string>,
    values: ['true', 'false'],
    query: flag,
    body: yesOrNo,
  } satisfies Filter;
}

/**
 * A filter that adds rows instead of removing some. The API returns these rows unless the value is
 * `false`; pages show them if their address has the filter.
 */
export function addingFilter<const Field extends string>(field: Field) {
  return {
    ...flagFilter(field),
    value: z.literal('true') as z.ZodType<string>,
    values: ['true'],
    unset: false,
  } satisfies Filter;
}

/** A filter for the next n days, counted from today. In the address, 7 days are "7d". */
export function daysFilter<const Field extends string>(field: Field) {
  return {
    kind: 'days' as const,
    field,
    several: false,
    value: z.string().regex(/^\d{1,5}d$/) as z.ZodType<string>,
    query: numberInQuery(0, MAX_DAYS) as unknown as z.ZodType<number, string | number>,
    body: z.int(invalid).min(0, invalid).max(MAX_DAYS, invalid),
  } satisfies Filter;
}

/** A filter for a day; the address has it as YYYY-MM-DD. */
export function dayFilter<const Field extends string>(field: Field) {
  const day = dayOr('INVALID_VALUE');
  return {
    kind: 'day' as const,
    field,
    several: false,
    value: z.iso.date().pipe(day) as z.ZodType<string>,
    query: day,
    body: day,
  } satisfies Filter;
}

export interface ListDeclaration {
  /** The key of this list in an account's preferences. */
  name: string;
  filters: Record<string, Filter>;
  /** The optional columns in display order; the column that names the row is always shown. */
  columns: readonly string[];
  /** The columns shown by default. */
  shownColumns: readonly string[];
  sorts: readonly [string, ...string[]];
  defaultSort: string;
  /** Ready-made views by name, each with the URL parameters that its tab sets. */
  views: Record<string, Record<string, string | boolean>>;
}

/**
 * Declares a list: every column once, the default ones in `columns` and the others, after them, in `moreColumns`. By
 * default it is sorted by the first of its sort fields, in descending order. The view of all rows is added. Decision
 * 0040: API, statements, addresses and pages read the declaration, because a filter that one of them forgets is a bug.
 */
export function declareList<
  const Name extends string,
  const Sorts extends readonly [string, ...string[]],
  const Filters extends ListDeclaration['filters'],
  const Views extends ListDeclaration['views'] = Record<never, never>,
  const Column extends string = never,
  const More extends string = never,
>(list: {
  name: Name;
  filters: Filters;
  columns?: readonly Column[];
  moreColumns?: readonly More[];
  sorts: Sorts;
  defaultSort?: `${'-' | ''}${Sorts[number]}`;
  views?: Views;
}) {
  const { columns = [], moreColumns = [], ...declared } = list;
  return {
    defaultSort: `-${list.sorts[0]}`,
    ...declared,
    shownColumns: columns,
    columns: [...columns, ...moreColumns],
    views: { all: {}, ...(list.views as Views) },
  } satisfies ListDeclaration;
}

type ShapeOf<List extends ListDeclaration, RequestPart extends 'query' | 'body'> = {
  [Name in keyof List['filters'] as List['filters'][Name]['field']]: z.ZodOptional<
    List['filters'][Name][RequestPart]
  >;
};

function shapeOf<List extends ListDeclaration, RequestPart extends 'query' | 'body'>(
  { filters }: List,
  part: RequestPart,
) {
  const shape = Object.values(filters).map((filter) => [filter.field, filter[part].optional()]);
  return Object.fromEntries(shape) as ShapeOf<List, RequestPart>;
}

/** The query of the call that reads the list. */
export function queryOf<const List extends ListDeclaration>(list: List) {
  type Sorts = List['sorts'];
  return listQuery<Sorts, ShapeOf<List, 'query'>>(
    list.sorts,
    list.defaultSort as `${'-' | ''}${Sorts[number]}`,
    shapeOf(list, 'query'),
  );
}

/** Query and response of the call that reads the list. */
export function listOf<const List extends ListDeclaration, Row extends z.ZodType>(
  list: List,
  row: Row,
) {
  return { query: queryOf(list), output: page(row) };
}

/** The declaration of a download of a list as CSV. Its query has the filters of the list, and no paging. */
export function csvOf<const List extends ListDeclaration>(list: List) {
  return { ...csvReply, query: queryOf(list).omit({ limit: true, cursor: true }) };
}

/** The list's filters as part of a request body, for calls that act on all matching rows. */
export function filterBodyOf<const List extends ListDeclaration>(list: List) {
  return z.object({ q: searchText.optional(), ...shapeOf(list, 'body') });
}
