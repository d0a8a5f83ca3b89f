import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { listLines } from '@linekeeper/contract/lines/lines.ts';
import { linesList } from '@linekeeper/contract/lists/lists.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { PartOfLines } from '#domain/lines/part-of-lines.tsx';
import {
  useHiddenLineColumns,
  useLineFilters,
  useLineTexts,
} from '#domain/lines/use-line-list.tsx';
import { defineList, narrowed } from '#kit/list/define-list.ts';

const accountLines = defineList(linesList, {
  path: '/accounts/$id',
  isPart: true,
  queryKey: ['lines', 'list'],
  endpoint: listLines,
  texts: 'lines',
  useMoreTexts: useLineTexts,
  useFilters: useLineFilters,
  fixed: ['owner', 'below'],
  // The owner's column is hidden, because all lines are the account's.
  hides: () => ['owner'],
  useHidden: useHiddenLineColumns,
});

/** The tab with the lines of an account. It has no bulk actions, which are in the list of all lines. */
export function LinesTab({ account: { id } }: { account: Account }) {
  const { t } = useTranslation('account');
  const list = useMemo(() => narrowed(accountLines, { owner: id }), [id]);
  return (
    <PartOfLines
      list={list}
      all={{ text: t('action.openInList'), search: { owner: id } }}
      none={{ title: t('lines.none'), text: t('lines.noneText') }}
    />
  );
}
