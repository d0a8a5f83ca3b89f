import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { linesList } from '@linekeeper/contract/lists/lists.ts';
import { Route } from 'lucide-react';
import { useSearchText } from '#kit/list/found.tsx';
import { ListRows, type ShownRows } from '#kit/list/list-rows.tsx';
import { ListToolbar } from '#kit/list/list-toolbar.tsx';
import { PagedList } from '#kit/list/paged-list.tsx';
import { type ListDefinition, ListProvider } from '#kit/list/use-list.ts';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { useShowsCards } from '#platform/browser/use-is-phone.ts';
import type { SearchOf } from '#screens/address.ts';
import { LineButtons, useLineActionsWidth, useLineColumns } from './columns.tsx';

interface PartOfLinesProps {
  list: ListDefinition<Line>;
  /** Leads to the same lines in the list of all, where many are changed at once. */
  all: { text: string; search: SearchOf<typeof linesList> };
  none: { title: string; text: string };
  /** The columns that a card of a phone has room for. */
  inCard: readonly string[];
}

/** The lines of an account or a server, as a part of its page. */
export function PartOfLines({ list, all, none, inCard }: PartOfLinesProps) {
  const inList = (
    <span className="only-wide">
      <ButtonLink to="/users/all" search={all.search}>
        {all.text}
      </ButtonLink>
    </span>
  );
  return (
    <ListProvider value={list}>
      <PagedList
        list={list}
        toolbar={<ListToolbar end={inList} />}
        firstUse={<EmptyPanel icon={<Route />} {...none} />}
      >
        {(rows) => <Lines {...rows} inCard={inCard} />}
      </PagedList>
    </ListProvider>
  );
}

function Lines({ inCard, ...rows }: ShownRows<Line> & Pick<PartOfLinesProps, 'inCard'>) {
  const hasCards = useShowsCards();
  const columns = useLineColumns(useSearchText());
  const shown = columns.filter(({ id }) => !hasCards || inCard.includes(id));
  return (
    <ListRows
      {...rows}
      columns={shown}
      Actions={LineButtons}
      actionsWidth={useLineActionsWidth()}
    />
  );
}
