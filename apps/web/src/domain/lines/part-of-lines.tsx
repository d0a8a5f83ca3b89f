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
import type { SearchOf } from '#screens/address.ts';
import { LineButtons, RENEW_WIDTH, useLineColumns } from './columns.tsx';
import { LineRow } from './line-row.tsx';

interface PartOfLinesProps {
  list: ListDefinition<Line>;
  /** The link to the same lines in the list of all lines, where many can be changed together. */
  all: { text: string; search: SearchOf<typeof linesList> };
  none: { title: string; text: string };
}

/** The list of an account's or a server's lines, as a part of its page. */
export function PartOfLines({ list, all, none }: PartOfLinesProps) {
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
        {(rows) => <Lines {...rows} />}
      </PagedList>
    </ListProvider>
  );
}

function Lines(rows: ShownRows<Line>) {
  return (
    <ListRows
      {...rows}
      columns={useLineColumns(useSearchText())}
      Actions={LineButtons}
      actionsWidth={RENEW_WIDTH}
      Card={LineRow}
      isFlat
    />
  );
}
