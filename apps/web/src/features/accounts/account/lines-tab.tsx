import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { type Line, linesList, listLines } from '@linekeeper/contract/lines/lines.ts';
import { Route } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../../shared/browser/use-is-phone.ts';
import {
  LineButtons,
  useLineActionsWidth,
  useLineColumns,
} from '../../../shared/lines/columns.tsx';
import { useLineFilters, useLineTexts } from '../../../shared/lines/use-line-list.ts';
import { defineList, narrowed } from '../../../shared/list/define-list.ts';
import { useSearchText } from '../../../shared/list/found.tsx';
import { ListRows, type ShownRows } from '../../../shared/list/list-rows.tsx';
import { ListToolbar } from '../../../shared/list/list-toolbar.tsx';
import { PagedList } from '../../../shared/list/paged-list.tsx';
import { ListProvider } from '../../../shared/list/use-list.ts';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { EmptyPanel } from '../../../shared/ui/states/empty-panel.tsx';

/** All are the account's. */
const offered = linesList.columns.filter((column) => column !== 'owner');
/** A card of a phone has room for these. */
const inCard = ['username', 'expiry', 'status', 'server'];

const accountLines = defineList(linesList, {
  path: '/accounts/$id',
  isPart: true,
  queryKey: ['lines', 'list'],
  isKept: true,
  endpoint: listLines,
  texts: 'lines',
  useMoreTexts: useLineTexts,
  useFilters: useLineFilters,
  fixed: ['owner'],
  useOfferedColumns: () => offered,
});

/** The account's own lines. What is done with many at once is done in the list of all. */
export function LinesTab({ account: { id } }: { account: Account }) {
  const { t } = useTranslation('account');
  const list = useMemo(() => narrowed(accountLines, { owner: id }), [id]);
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

function Lines(rows: ShownRows<Line>) {
  const isPhone = useIsPhone();
  const columns = useLineColumns(useSearchText(), true);
  const shown = columns.filter(({ id }) => !isPhone || inCard.includes(id));
  return (
    <ListRows
      {...rows}
      columns={shown}
      Actions={LineButtons}
      actionsWidth={useLineActionsWidth()}
    />
  );
}
