import type { Filter, ListDeclaration } from '@linekeeper/contract/lists/list.ts';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type * as z from 'zod';
import type { AnyQuery, SortColumn } from './pages.ts';

/** The column of each field by which a list can be sorted. */
export type SortColumns<List extends ListDeclaration> = Record<List['sorts'][number], SortColumn>;

/**
 * The subject of a filter: a column or expression that is compared with the values; the condition
 * of a flag; or a condition made from the requested values.
 */
type Compared<Asked> = string | RawBuilder<unknown> | ((asked: Asked) => Expression<SqlBool>);

type FilterOf<List extends ListDeclaration> = List['filters'][keyof List['filters']];

/** The subject of each declared filter of a list, and how its rows are searched. */
type Filtering<List extends ListDeclaration> = {
  [Field in FilterOf<List>['field'] | 'q']: Field extends 'q'
    ? (text: string) => Expression<SqlBool>
    : Compared<z.output<Extract<FilterOf<List>, { field: Field }>['query']>>;
};

/** The rows of a list that match the query, by each filter that the list declares. */
export function filtered<const List extends ListDeclaration, Rows extends AnyQuery<object>>(
  { filters }: List,
  rows: Rows,
  query: { [Field in FilterOf<List>['field'] | 'q']?: unknown },
  filtering: Filtering<NoInfer<List>>,
): Rows {
  const asked: Record<string, unknown> = query;
  const compared = filtering as Record<string, Compared<unknown>>;
  let found = rows;
  for (const filter of Object.values(filters)) {
    const [values, about] = [asked[filter.field], compared[filter.field]];
    if (values === undefined || about === undefined) continue;
    found = found.where(conditionOf(filter, values, about)) as Rows;
  }
  return query.q ? (found.where(filtering.q(String(query.q))) as Rows) : found;
}

/** SQL condition: one of these conditions is met. It is one expression, so that a row that meets several is found once. */
export const anyOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<SqlBool> =>
  conditions.length === 0
    ? sql<SqlBool>`false`
    : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;

function conditionOf({ kind, several }: Filter, asked: unknown, about: Compared<unknown>) {
  if (typeof about === 'function') return about(asked);
  const compared = typeof about === 'string' ? sql.ref(about) : about;
  if (kind === 'flag') return asked ? sql<SqlBool>`${compared}` : sql<SqlBool>`not (${compared})`;
  if (several) return sql<SqlBool>`${compared} in (${sql.join(asked as unknown[])})`;
  return sql<SqlBool>`${compared} = ${asked}`;
}
