import { userId } from '@linekeeper/contract/fields/fields.ts';
import {
  adoptOrphans,
  MAX_ORPHANS_AT_ONCE,
  type Orphan,
} from '@linekeeper/contract/servers/orphans.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, ServerOff, Trash2, UserPlus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { AccountInput } from '#domain/accounts/account-picker.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { ListRows, type ShownRows } from '#kit/list/list-rows.tsx';
import { ListSelection } from '#kit/list/list-selection.tsx';
import { ListToolbar } from '#kit/list/list-toolbar.tsx';
import { PagedList } from '#kit/list/paged-list.tsx';
import { BulkBar } from '#kit/list/selection/bulk-bar.tsx';
import { useSelection } from '#kit/list/selection/selection-context.tsx';
import { ListProvider, type Page } from '#kit/list/use-list.ts';
import { Banner } from '#kit/ui/states/banner.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { useMe } from '#platform/data/session.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { results } from '#platform/state/results.ts';
import { OrphanActions, orphanColumns } from './orphan-columns.tsx';
import { orphans } from './orphans-list.ts';
import { orphanScansQuery } from './queries.ts';
import { RemoveDialog } from './remove-dialog.tsx';

/** The tab with usernames that card servers have and the panel does not know. */
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
    <div className="grid grid-cols-1 gap-2 pt-4 px-4 pb-2 phone:pt-4 phone:px-0 phone:pb-0">
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
  const seen = useSeenOrphans();
  const [asked, setAsked] = useState<'adopt' | 'remove' | null>(null);
  // The ids are kept while a dialog is open, because deleted rows leave the selection.
  const [ids, setIds] = useState<readonly string[]>([]);
  const all = [...selection.ids];
  const removable = all.filter((id) => seen.get(id)?.can_remove !== false);
  const ask = (what: typeof asked) => {
    setIds(what === 'remove' ? removable : all);
    setAsked(what);
  };
  const close = () => setAsked(null);
  return (
    <>
      {!isEmpty && (
        <BulkBar
          label={t('list.selection')}
          main={{
            name: 'adopt',
            label: t('orphans.adopt.many', { count: all.length }),
            icon: <UserPlus aria-hidden="true" />,
            act: () => ask('adopt'),
          }}
          actions={
            removable.length > 0
              ? [
                  {
                    name: 'remove',
                    label: t('orphans.remove.many', { count: removable.length }),
                    icon: <Trash2 aria-hidden="true" />,
                    isDanger: true,
                    act: () => ask('remove'),
                  },
                ]
              : []
          }
        />
      )}
      {asked === 'adopt' && <AdoptManyDialog ids={ids} onDone={clear} onClose={close} />}
      {asked === 'remove' && <RemoveDialog what={ids} onDone={clear} onClose={close} />}
    </>
  );
}

const adoptionForm = z.object({ owner_id: userId });
/** Accounts that a message names, at most; the list has all of them. */
const NAMED = 3;

interface AdoptManyDialogProps {
  ids: readonly string[];
  onDone: () => void;
  onClose: () => void;
}

/** The dialog that asks for the owner of the new lines; all other facts are as their servers report them. */
function AdoptManyDialog({ ids, onDone, onClose }: AdoptManyDialogProps) {
  const { t } = useTranslation('sync');
  const errorText = useErrorText();
  const me = useMe();
  const { field, submission } = useCommandForm(adoptOrphans, {
    schema: adoptionForm,
    refreshes: ['sync', 'lines'],
    defaultValues: { owner_id: me.id },
    bodyOf: (values) => ({ ids: [...ids], ...values }),
    done: ({ items }) => {
      onClose();
      onDone();
      const refused = items.flatMap(({ username, refusal }) =>
        refusal ? [`${isolate(username)}: ${errorText(refusal)}`] : [],
      );
      const left = ids.length - (items.length - refused.length);
      const adopted = ids.length - left;
      if (adopted > 0) results.success(t('orphans.adopt.doneMany', { count: adopted }));
      if (left === 0) return;
      results.warning(t('orphans.adopt.left', { count: left }), {
        detail: refused.slice(0, NAMED).join(' · '),
        stays: true,
      });
    },
    fieldOfCode: { USER_NOT_FOUND: 'owner_id' },
  });
  const isTooMany = ids.length > MAX_ORPHANS_AT_ONCE;
  return (
    <FormDialog
      submission={submission}
      title={t('orphans.adopt.many', { count: ids.length })}
      text={t('orphans.adopt.textMany')}
      submitLabel={t('orphans.adopt.many', { count: ids.length })}
      blocked={isTooMany ? t('orphans.adopt.tooMany', { maximum: MAX_ORPHANS_AT_ONCE }) : undefined}
      onClose={onClose}
    >
      <CutNames ids={ids} />
      <AccountInput {...field('owner_id')} label={t('field.owner')} initial={me} required />
    </FormDialog>
  );
}

/** The accounts on the pages that were opened; only these can be selected. */
function useSeenOrphans(): ReadonlyMap<string, Orphan> {
  const pages = useQueryClient().getQueriesData<Page<Orphan>>({ queryKey: orphans.queryKey });
  return new Map(pages.flatMap(([, page]) => (page?.items ?? []).map((one) => [one.id, one])));
}

/** A warning about names that CCcam clients do not send as a whole, as in the list. */
function CutNames({ ids }: Pick<AdoptManyDialogProps, 'ids'>) {
  const { t } = useTranslation('sync');
  const seen = useSeenOrphans();
  const cut = ids.flatMap((id) => (seen.get(id)?.name_problem ? [seen.get(id)] : []));
  if (cut.length === 0) return null;
  const names = cut.slice(0, NAMED).map((one) => isolate(one?.username ?? ''));
  const more = cut.length - names.length;
  return (
    <Banner tone="warning" title={t('orphans.adopt.cutNames', { count: cut.length })}>
      <p>{[...names, ...(more > 0 ? [t('more', { count: more })] : [])].join(' · ')}</p>
    </Banner>
  );
}
