import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
import type { ListDeclaration, queryOf } from '@linekeeper/contract/lists/list.ts';
import { useQueries } from '@tanstack/react-query';
import type { TypeOptions } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { call } from '#platform/api/client.ts';
import { listQuery } from '#screens/address.ts';
import { allScreens } from '#screens/screens.ts';
import {
  type FilterLook,
  type ListDefinition,
  type ListRow,
  type ListTexts,
  offering,
  type Page,
  useListDefinition,
} from './use-list.ts';

type Resources = TypeOptions['resources'];
type Filters<List extends ListDeclaration> = List['filters'];
type OrdersOf<List extends ListDeclaration> = `${'' | '-'}${List['sorts'][number]}`;

/** Fields that have a name in the texts of all forms. */
type Field = keyof Resources['common']['field'];

/** Columns whose name is not that of a field, so that the list has to name them. */
type NamedColumn<List extends ListDeclaration> = Exclude<List['columns'][number], Field>;

/**
 * Orders that have a name in the texts of all lists. An order by date is named by age, unless the
 * locale file has another name.
 */
type NamedOrder =
  | keyof Resources['common']['list']['order']
  | `${'' | '-'}${string}_${'at' | 'date'}`;

/** Values of the status filter; a view of one of them is named like the status. */
type StatusOf<List extends ListDeclaration> =
  Filters<List> extends {
    status: { values: readonly (infer Status)[] };
  }
    ? Status
    : never;

type NamedView<List extends ListDeclaration> = Exclude<
  keyof List['views'],
  keyof Resources['common']['view'] | keyof Resources['common']['state'] | StatusOf<List>
>;

/** Keys that the locale file of a list needs, in addition to those that the texts of all lists have. */
type TextsOf<List extends ListDeclaration> = { search: string } & With<
  'columns',
  NamedColumn<List>
> &
  With<'views', NamedView<List>> &
  ([Exclude<OrdersOf<List>, NamedOrder>] extends [never]
    ? unknown
    : { filter: With<'orders', Exclude<OrdersOf<List>, NamedOrder>> });

/** The name of each choice filter, unless it is that of a field, and a text for each of its values. */
type ChoiceTextsOf<List extends ListDeclaration, Name extends keyof Filters<List>> = [
  Exclude<Name, Field>,
] extends [never]
  ? ValueTextsOf<List, Name>
  : { filter: With<'names', Exclude<Name, Field>> } & ValueTextsOf<List, Name>;

type ValueTextsOf<List extends ListDeclaration, Name extends keyof Filters<List>> = With<
  'status',
  Name extends 'status'
    ? Exclude<StatusOf<List>, keyof Resources['common']['status']> & string
    : never
> & {
  [Choice in Exclude<Name, 'status'>]: Filters<List>[Choice] extends {
    kind: 'choice';
    values: readonly string[];
  }
    ? Record<Filters<List>[Choice]['values'][number], string>
    : never;
};

/** A property with this name and one text for each key; no property if there are no keys. */
type With<Name extends string, Keys extends PropertyKey> = [Keys] extends [never]
  ? unknown
  : Record<Name, Record<Keys, string>>;

type FileWith<Texts> = {
  [Name in keyof Resources]: Resources[Name] extends Texts ? Name : never;
}[keyof Resources];

/** Options of a list in addition to its declaration, from which most of it follows. */
type ListOptions<
  List extends ListDeclaration,
  Row extends ListRow,
  Other extends string,
  Fixed extends string,
> = Omit<ListDefinition<Row>, 'declaration' | 'fetchPage' | 'useTexts' | 'useFilters'> & {
  endpoint: PageEndpoint<List, Row>;
  /** Locale file of the list; a file that lacks one of its texts does not compile. */
  texts: FileWith<TextsOf<List> & ChoiceTextsOf<List, Exclude<keyof Filters<List>, Other | Fixed>>>;
  /** Texts that only some lists have, or that replace those of the file. */
  useMoreTexts?: () => Partial<ListTexts>;
  /** The filters that need more than the texts of their choices in the locale file. */
  useFilters?: () => Record<Other, FilterLook>;
  /** Parameters of the call that the list does not declare, if the endpoint has any. */
  asks?: Record<string, string | boolean>;
  /** Filters that the page sets, see `narrowed`. */
  fixed?: readonly Fixed[];
  /** True to fetch the number of rows in each view, if the API has no separate counts. */
  countsViews?: true;
};

/** Defines a list by its declaration: its pages, texts and choice filters follow from it. */
export function defineList<
  const List extends ListDeclaration,
  Row extends ListRow,
  Other extends keyof Filters<List> & string = never,
  Fixed extends keyof Filters<List> & string = never,
>(
  declaration: List & { name: ListDefinition['declaration']['name'] },
  options: ListOptions<List, Row, Other, Fixed>,
): ListDefinition<Row> {
  const { endpoint, texts, useMoreTexts, useFilters, fixed, countsViews, asks, ...definition } =
    options;
  return {
    ...(definition as Omit<ListDefinition<Row>, 'declaration'>),
    ...(countsViews ? { useViewCounts: useCountedViews } : {}),
    declaration,
    fetchPage: fetchPages(declaration, endpoint, asks),
    useTexts: () => ({ ...useListTexts(texts, definition.path), ...useMoreTexts?.() }),
    useFilters: () => ({ ...useChoices(texts, declaration), ...useFilters?.() }),
  };
}

/** A list whose page sets some of its filters, such as the account that the page is about. */
export function narrowed<Row extends ListRow>(
  list: ListDefinition<Row>,
  set: Record<string, string>,
): ListDefinition<Row> {
  const filters = Object.entries(list.declaration.filters).filter(([name]) => !(name in set));
  return {
    ...list,
    declaration: { ...list.declaration, filters: Object.fromEntries(filters) },
    queryKey: [...list.queryKey, 'of', ...Object.values(set)],
    fetchPage: (search, options) => list.fetchPage({ ...search, ...set }, options),
  };
}

type PageEndpoint<List extends ListDeclaration, Row extends ListRow> = Endpoint & {
  query: z.ZodType<z.output<ReturnType<typeof queryOf<List>>>>;
  output: z.ZodType<Page<Row>>;
};

/** The function that fetches a page; the list's search parameters are the call's query. */
export function fetchPages<const List extends ListDeclaration, Row extends ListRow>(
  list: List,
  endpoint: PageEndpoint<List, Row>,
  asks: Record<string, string | boolean> = {},
): ListDefinition<Row>['fetchPage'] {
  return (search, { signal, limit }) => {
    const query = { ...asks, ...listQuery(list, search), ...(limit ? { limit } : {}) };
    return call<Endpoint>(endpoint, { query }, { signal }) as Promise<Page<Row>>;
  };
}

/** The text key for a list's order by age: newest or oldest first, under the name that the list has for it. */
export const ageOrder = (sort: string) =>
  sort.startsWith('-') ? 'list.order.newest' : 'list.order.oldest';

/** The texts of a file whose keys the type of `defineList` guarantees. */
function useTexts(file: keyof Resources) {
  return useTranslation(file).t as unknown as (key: string | string[], values?: object) => string;
}

function useListTexts(file: keyof Resources, path: ListDefinition['path']): ListTexts {
  const t = useTexts(file);
  const screen = allScreens.find((one) => one.path === path);
  // The texts are memoised, because every row is drawn again when its column's title changes.
  return useMemo(
    () => ({
      title: t(['title', screen?.title ?? '']),
      loading: t('loading'),
      noMatch: t('list.noMatch.title'),
      search: t('search'),
      filterTitle: t('list.filter.open'),
      show: (count, isExact) => {
        if (count === null) return t('list.show');
        if (!isExact) return t('list.showMany', { count });
        return t('list.showCount', { count });
      },
      // The common names of fields, orders and states apply unless the list has other names.
      column: (column) => t([`columns.${column}`, `field.${column}`]),
      order: (sort) => t([`filter.orders.${sort}`, `list.order.${sort}`, ageOrder(sort)]),
      view: (view) => t([`views.${view}`, `view.${view}`, `status.${view}`, `state.${view}`]),
      value: (field, value) => t(`${field}.${value}`),
    }),
    [t, screen],
  );
}

function useChoices(file: keyof Resources, { filters }: ListDeclaration) {
  const t = useTexts(file);
  const choices = Object.entries(filters).filter(([, { kind }]) => kind === 'choice');
  return Object.fromEntries(
    choices.map(([name, { values = [] }]) => [
      name,
      offering(
        t([`filter.names.${name}`, `field.${name}`]),
        values.map((value) => ({ value, label: t(`${name}.${value}`) })),
      ),
    ]),
  );
}

/** Row counts of the ready-made views, fetched with one call each. */
function useCountedViews(): Record<string, number> {
  const { declaration, queryKey, fetchPage } = useListDefinition();
  const views = Object.entries(declaration.views);
  const counts = useQueries({
    queries: views.map(([, search]) => ({
      queryKey: [...queryKey, 'count', search] as const,
      queryFn: ({ signal }: { signal: AbortSignal }) => fetchPage(search, { signal, limit: 1 }),
    })),
  });
  const known = views.flatMap(([view], index): [string, number][] => {
    const total = counts[index]?.data?.total;
    return total == null ? [] : [[view, total]];
  });
  return Object.fromEntries(known);
}
