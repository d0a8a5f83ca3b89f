import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { type Line, linesList, listLines } from '@linekeeper/contract/lines/lines.ts';
import { Route } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { accountLinesList } from '../../../screens/account-search.ts';
import { useIsPhone } from '../../../shared/browser/use-is-phone.ts';
import { useLineColumns } from '../../../shared/lines/columns.tsx';
import { useLineFilters, useLineListTexts } from '../../../shared/lines/use-line-list.ts';
import { fetchPages } from '../../../shared/list/fetch-pages.ts';
import { ListRows } from '../../../shared/list/list-rows.tsx';
import { ListToolbar } from '../../../shared/list/list-toolbar.tsx';
import { PagedList } from '../../../shared/list/paged-list.tsx';
import { type ListDefinition, ListProvider, useListSearch } from '../../../shared/list/use-list.ts';
import type { ListTableRows } from '../../../shared/list/use-list-table.ts';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { EmptyPanel } from '../../../shared/ui/states/empty-panel.tsx';

const fetchPage = fetchPages(linesList, listLines);
/** All are the account's. */
const offered = linesList.columns.filter((column) => column !== 'owner');
/** A card of a phone has room for these. */
const inCard = ['username', 'expiry', 'status', 'server', 'actions'];

function linesOf(id: string): ListDefinition<Line> {
  return {
    declaration: accountLinesList,
    path: '/accounts/$id',
    isPart: true,
    queryKey: ['lines', 'list', 'of', id],
    isKept: true,
    fetchPage: (search, how) => fetchPage({ ...search, owner: id }, how),
    useTexts: useLineListTexts,
    useFilters: useLineFilters,
    useOfferedColumns: () => offered,
  };
}

/** The account's own lines. What is done with many at once is done in the list of all. */
export function LinesTab({ account: { id } }: { account: Account }) {
  const { t } = useTranslation('account');
  const list = useMemo(() => linesOf(id), [id]);
  const inList = (
    <span className="only-wide">
      <ButtonLink to="/users/all" search={{ owner: id }}>
        {t('lines.open')}
      </ButtonLink>
    </span>
  );
  return (
    <ListProvider value={list}>
      <PagedList
        list={list}
        toolbar={<ListToolbar end={inList} />}
        firstUse={
          <EmptyPanel icon={<Route />} title={t('lines.none')} text={t('lines.noneText')} />
        }
      >
        {(rows) => <Lines {...rows} />}
      </PagedList>
    </ListProvider>
  );
}

function Lines(rows: ListTableRows<Line>) {
  const { search } = useListSearch();
  const isPhone = useIsPhone();
  const columns = useLineColumns(search.q?.trim() ?? '', true);
  const wanted = columns.filter(({ id }) => !isPhone || inCard.includes(id));
  return <ListRows {...rows} columns={wanted} />;
}
