import { listLines } from '@linekeeper/contract/lines/lines.ts';
import { linesList } from '@linekeeper/contract/lists/lists.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccountFilter } from '#domain/accounts/use-account-filter.tsx';
import { PartOfLines } from '#domain/lines/part-of-lines.tsx';
import {
  useHiddenLineColumns,
  useLineFilters,
  useLineTexts,
} from '#domain/lines/use-line-list.tsx';
import { ServerFrame } from '#features/servers/server-frame.tsx';
import { defineList, narrowed } from '#kit/list/define-list.ts';
import { ListCard } from '#kit/list/list-body.tsx';

const serverLines = defineList(linesList, {
  path: '/cccam-servers/$id/lines',
  isPart: true,
  queryKey: ['lines', 'list'],
  endpoint: listLines,
  texts: 'lines',
  useMoreTexts: useLineTexts,
  useFilters,
  fixed: ['server', 'below'],
  // The server's column is hidden, because all lines are on the server.
  hides: () => ['server'],
  useHidden: useHiddenLineColumns,
});

function useFilters() {
  const { t } = useTranslation('lines');
  return {
    ...useLineFilters(),
    owner: useAccountFilter('owner', t('field.owner')),
  };
}

/** The tab with the server's lines. */
export function ServerLinesPage() {
  return <ServerFrame tab="lines">{(server) => <Lines server={server} />}</ServerFrame>;
}

function Lines({ server: { id } }: { server: Server }) {
  const { t } = useTranslation('servers');
  const list = useMemo(() => narrowed(serverLines, { server: id }), [id]);
  return (
    <ListCard label={t('nav.lines')} hasCards>
      <PartOfLines
        list={list}
        all={{ text: t('nav.allLines'), search: { server: id } }}
        none={{ title: t('page.lines.none'), text: t('page.lines.noneText') }}
      />
    </ListCard>
  );
}
