import type { ListDeclaration } from '@linekeeper/contract/lists/list.ts';
import type { TypeOptions } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ListTexts } from './use-list.ts';

type Resources = TypeOptions['resources'];

type OrdersOf<List extends ListDeclaration> = `${'' | '-'}${List['sorts'][number]}`;

/** Keys that the locale file of a list needs; a list of cards has no columns. */
type TextsOf<List extends ListDeclaration> = ([List['columns'][number]] extends [never]
  ? unknown
  : { columns: Record<List['columns'][number], string> }) & {
  title: string;
  loading: string;
  noMatch: string;
  search: string;
  views: Record<keyof List['views'], string>;
  filter: {
    title: string;
    showAny: string;
    show_other: string;
    showMany_other: string;
    orders: Record<OrdersOf<List>, string>;
  };
};

type FileOf<List extends ListDeclaration> = {
  [Name in keyof Resources]: Resources[Name] extends TextsOf<List> ? Name : never;
}[keyof Resources];

/** Texts of a list from its own locale file; a file that lacks one of them does not compile. */
export function useListTexts<List extends ListDeclaration>(file: FileOf<List>): ListTexts {
  // The type of `file` guarantees these keys.
  const t = useTranslation(file).t as unknown as (key: string, values?: object) => string;
  return {
    title: t('title'),
    loading: t('loading'),
    noMatch: t('noMatch'),
    search: t('search'),
    filterTitle: t('filter.title'),
    show: (count, isExact) =>
      count === null
        ? t('filter.showAny')
        : t(isExact ? 'filter.show' : 'filter.showMany', { count }),
    column: (column) => t(`columns.${column}`),
    order: (sort) => t(`filter.orders.${sort}`),
    view: (view) => t(`views.${view}`),
  };
}
