import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { Plus } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../../shared/layout/page-header.tsx';
import {
  LineButtons,
  useLineActionsWidth,
  useLineColumns,
} from '../../../shared/lines/columns.tsx';
import { useSearchText } from '../../../shared/list/found.tsx';
import { ListCard } from '../../../shared/list/list-body.tsx';
import { ListRows, type ShownRows } from '../../../shared/list/list-rows.tsx';
import { ListSelection } from '../../../shared/list/list-selection.tsx';
import { PagedList } from '../../../shared/list/paged-list.tsx';
import { ListProvider, useAskedPage } from '../../../shared/list/use-list.ts';
import { ViewTabs } from '../../../shared/list/views/view-tabs.tsx';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { LINES_LIST_ID, LineDialogs } from '../line-dialogs.tsx';
import { FirstUsePanel } from './first-use-panel.tsx';
import { LineCard } from './line-card.tsx';
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

function Lines(shown: ShownRows<Line>) {
  const { t } = useTranslation('lines');
  const columns = useLineColumns(useSearchText());
  const selectLabel = useCallback(({ username }: Line) => t('select.one', { username }), [t]);
  return (
    <ListRows
      {...shown}
      columns={columns}
      Actions={LineButtons}
      actionsWidth={useLineActionsWidth()}
      selectLabel={selectLabel}
      Card={LineCard}
    />
  );
}

/** Stays mounted in the empty states: the last line may leave the list while its dialog is open. */
function DialogsOfPage({ children }: { children: ReactNode }) {
  return <LineDialogs lines={useAskedPage(lines)?.items}>{children}</LineDialogs>;
}
