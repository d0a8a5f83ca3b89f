import type { Orphan } from '@linekeeper/contract/servers/orphans.ts';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, ServerOff, Trash2, UserPlus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFindingText } from '../../../shared/i18n/use-finding-text.ts';
import { ListRows, type ShownRows } from '../../../shared/list/list-rows.tsx';
import { ListSelection } from '../../../shared/list/list-selection.tsx';
import { ListToolbar } from '../../../shared/list/list-toolbar.tsx';
import { PagedList } from '../../../shared/list/paged-list.tsx';
import { BulkBar } from '../../../shared/list/selection/bulk-bar.tsx';
import { useSelection } from '../../../shared/list/selection/selection-context.tsx';
import { ListProvider } from '../../../shared/list/use-list.ts';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { EmptyPanel } from '../../../shared/ui/states/empty-panel.tsx';
import styles from '../sync.module.css';
import { AdoptManyDialog } from './adopt-many-dialog.tsx';
import { OrphanActions, orphanColumns } from './orphan-columns.tsx';
import { orphans } from './orphans-list.ts';
import { orphanScansQuery } from './queries.ts';
import { RemoveDialog } from './remove-dialog.tsx';

/** Usernames that card servers have and the panel does not know. */
export function OrphansTab() {
  const { t } = useTranslation('sync');
  const { data: scans } = useQuery(orphanScansQuery());
  const isAllRead = scans?.every(({ finding }) => !finding) ?? false;
  return (
    <ListProvider value={orphans}>
      <Unread />
      <ListSelection>
        <PagedList
          list={orphans}
          toolbar={
            <ListToolbar>
              <SelectedOrphans />
            </ListToolbar>
          }
          firstUse={
            scans && !isAllRead ? (
              <EmptyPanel icon={<ServerOff />} title={t('orphans.nothingUnknown')} />
            ) : (
              <EmptyPanel
                icon={<CircleCheck />}
                title={scans ? t('orphans.emptyTitle') : t('orphans.looking')}
                text={t('orphans.emptyText')}
              />
            )
          }
        >
          {(rows) => <OrphanRows {...rows} />}
        </PagedList>
      </ListSelection>
    </ListProvider>
  );
}

/** The servers whose usernames could not be read, and why. */
function Unread() {
  const { t } = useTranslation('sync');
  const findingText = useFindingText();
  const { data: scans = [] } = useQuery(orphanScansQuery());
  const unread = scans.filter(({ finding }) => finding);
  if (unread.length === 0) return null;
  return (
    <div className={styles.unread}>
      {unread.map(({ server_id, server_name: server, finding }) => (
        <Banner key={server_id} tone="warning" title={t('orphans.away', { server })}>
          <p>{findingText(finding)}</p>
        </Banner>
      ))}
    </div>
  );
}

function OrphanRows(rows: ShownRows<Orphan>) {
  const { t } = useTranslation('sync');
  const selectLabel = useCallback(
    ({ username, server_name: server }: Orphan) => t('selectOne', { username, server }),
    [t],
  );
  return (
    <ListRows
      {...rows}
      columns={orphanColumns}
      Actions={OrphanActions}
      actionsWidth={196}
      selectLabel={selectLabel}
    />
  );
}

function SelectedOrphans() {
  const { t } = useTranslation('sync');
  const { isEmpty, selection, clear } = useSelection();
  const [asked, setAsked] = useState<'adopt' | 'remove' | null>(null);
  // Kept while a dialog is open: rows that are gone leave the selection.
  const [ids, setIds] = useState<readonly string[]>([]);
  const ask = (what: typeof asked) => {
    setIds([...selection.ids]);
    setAsked(what);
  };
  const close = () => setAsked(null);
  const count = selection.ids.size;
  return (
    <>
      {!isEmpty && (
        <BulkBar
          label={t('orphans.selected')}
          main={{
            name: 'adopt',
            label: t('orphans.adopt.many', { count }),
            icon: <UserPlus aria-hidden="true" />,
            act: () => ask('adopt'),
          }}
          actions={[
            {
              name: 'remove',
              label: t('orphans.remove.many', { count }),
              icon: <Trash2 aria-hidden="true" />,
              isDanger: true,
              act: () => ask('remove'),
            },
          ]}
        />
      )}
      {asked === 'adopt' && <AdoptManyDialog ids={ids} onDone={clear} onClose={close} />}
      {asked === 'remove' && <RemoveDialog what={ids} onDone={clear} onClose={close} />}
    </>
  );
}
