import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { Plus } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../../shared/browser/use-is-phone.ts';
import { PageHeader } from '../../../shared/layout/page-header.tsx';
import { useLineColumns } from '../../../shared/lines/columns.tsx';
import { ListCard } from '../../../shared/list/list-body.tsx';
import { ListSelection } from '../../../shared/list/list-selection.tsx';
import { PagedList } from '../../../shared/list/paged-list.tsx';
import { SkeletonCards } from '../../../shared/list/table/cards.tsx';
import { SizedTable } from '../../../shared/list/table/sized-table.tsx';
import { ListProvider, useAskedPage, useListSearch } from '../../../shared/list/use-list.ts';
import { type ListTableRows, useListTable } from '../../../shared/list/use-list-table.ts';
import { ViewTabs } from '../../../shared/list/views/view-tabs.tsx';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { LINES_LIST_ID, LineDialogs } from '../line-dialogs.tsx';
import { FirstUsePanel } from './first-use-panel.tsx';
import { LineCards } from './line-cards.tsx';
import { lines } from './lines-list.tsx';
import { LinesToolbar } from './lines-toolbar.tsx';
import { ListMenu } from './list-menu.tsx';

export function LinesPage() {
  const { t } = useTranslation('lines');
  return (
    <ListProvider value={lines}>
      <PageHeader
        actions={
          <>
            <ListMenu />
            <ButtonLink to="/users/add" variant="solid" icon={<Plus aria-hidden="true" />}>
              {t('addLine')}
            </ButtonLink>
          </>
        }
      />
      <ListCard id={LINES_LIST_ID} label={t('title')} hasCards>
        <ViewTabs />
        <ListSelection>
          <DialogsOfPage>
            <PagedList list={lines} toolbar={<LinesToolbar />} firstUse={<FirstUsePanel />}>
              {(rows) => <Lines {...rows} />}
            </PagedList>
          </DialogsOfPage>
        </ListSelection>
      </ListCard>
    </ListProvider>
  );
}

function Lines(shown: ListTableRows<Line>) {
  const { rows, isInert, showsBones } = shown;
  const isPhone = useIsPhone();
  if (!isPhone) return <LinesTable {...shown} />;
  return rows ? (
    <LineCards lines={rows} isInert={isInert} />
  ) : (
    <SkeletonCards isVisible={showsBones} />
  );
}

/** The lines list as a table, for windows wider than a phone. */
function LinesTable(rows: ListTableRows<Line>) {
  const { t } = useTranslation('lines');
  const { search } = useListSearch();
  const columns = useLineColumns(search.q?.trim() ?? '');
  const selectLabel = useCallback(({ username }: Line) => t('select.one', { username }), [t]);
  return <SizedTable {...useListTable({ ...rows, columns, selectLabel })} />;
}

/** Stays mounted in the empty states: the last line may leave the list while its dialog is open. */
function DialogsOfPage({ children }: { children: ReactNode }) {
  return <LineDialogs lines={useAskedPage(lines)?.items}>{children}</LineDialogs>;
}
