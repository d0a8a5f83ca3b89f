import { mustChange } from '@linekeeper/contract/lines/receivers.ts';
import { deleteServer, moveLines, type Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRightLeft, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '../../../shared/commands/confirm-action.tsx';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { enteredAt, serverChoicesQuery, takesLines } from '../../../shared/data/server-choices.ts';
import { SelectInput } from '../../../shared/forms/fields/select-input.tsx';
import { FormDialog } from '../../../shared/forms/form-dialog.tsx';
import { serverOption } from '../../../shared/forms/pickers/server-option.ts';
import { useCommandForm } from '../../../shared/forms/use-command-form.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { useShowStoredJob } from '../../../shared/jobs/queries.ts';
import { AddressChange } from '../../../shared/lines/address-change.tsx';
import { results } from '../../../shared/state/results.ts';
import { MoreMenu } from '../../../shared/ui/overlays/more-menu.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import styles from '../dialogs.module.css';
import { customersFile, serverCustomersQuery, serverQuery, useRefreshServers } from '../queries.ts';

interface ServerMenuProps {
  server: Server;
  /** Called once it is deleted, where its page is open. */
  onDeleted?: () => void;
}

export function ServerMenu({ server, onDeleted }: ServerMenuProps) {
  const { t } = useTranslation('servers');
  const [asked, setAsked] = useState<'move' | 'delete' | null>(null);
  const params = { id: server.id };
  return (
    <>
      <MoreMenu
        label={t('card.more', { name: server.server_name })}
        entries={[
          {
            name: 'edit',
            icon: Pencil,
            text: t('card.edit'),
            link: { to: '/cccam-servers/edit/$id', params },
          },
          server.line_count > 0 && {
            name: 'move',
            icon: ArrowRightLeft,
            text: t('card.moveLines'),
            act: () => setAsked('move'),
          },
          { name: 'delete', icon: Trash2, text: t('card.delete'), act: () => setAsked('delete') },
        ]}
      />
      {asked === 'move' && <MoveLinesDialog server={server} onClose={() => setAsked(null)} />}
      {asked === 'delete' && (
        <DeleteServerDialog server={server} onDeleted={onDeleted} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

interface DeleteServerDialogProps {
  server: Server;
  onDeleted?: (() => void) | undefined;
  onClose: () => void;
}

/** Polling interval while names are being removed from the server. */
const LOOK_AGAIN_MS = 2000;

/** Deletes a server after moving its lines and removing, or giving up, its leftover names. */
function DeleteServerDialog({ server, onDeleted, onClose }: DeleteServerDialogProps) {
  const { t } = useTranslation('servers');
  const refresh = useRefreshServers();
  const { data: now = server } = useQuery({
    ...serverQuery(server.id),
    refetchInterval: LOOK_AGAIN_MS,
  });
  if (now.line_count > 0) {
    return (
      <MoveLinesDialog
        server={now}
        title={t('delete.title', { name: now.server_name })}
        text={t('delete.lines', { count: now.line_count })}
        onMoved={() => void refresh()}
        onClose={onClose}
      />
    );
  }
  return <EmptyServerDialog server={now} onDeleted={onDeleted} onClose={onClose} />;
}

function EmptyServerDialog({ server, onDeleted, onClose }: DeleteServerDialogProps) {
  const { t } = useTranslation('servers');
  const { deletions_due: count, server_name: name } = server;
  const isForced = count > 0;
  const deletion = useCommand(deleteServer, {
    input: (force: boolean) => ({
      params: { id: server.id },
      query: force ? { force: 'true' as const } : {},
    }),
    refreshes: ['servers'],
  });
  return (
    <ConfirmAction
      command={deletion}
      content={isForced}
      tone="danger"
      title={t('delete.title', { name })}
      text={t('delete.text')}
      confirmLabel={t(isForced ? 'delete.anyway' : 'delete.confirm')}
      done={() => {
        results.success(t('delete.done', { name }));
        onDeleted?.();
      }}
      onClose={onClose}
    >
      <div role="status">
        {isForced && (
          <div className={styles.refusal}>
            <Banner tone="warning" title={t('delete.deletions', { count })}>
              <p>{t('delete.deletionsText')}</p>
              <Link to="/cccam-servers/sync" search={{ server: server.id }}>
                {t('delete.seeWaiting')}
              </Link>
            </Banner>
          </div>
        )}
      </div>
    </ConfirmAction>
  );
}

interface MoveLinesDialogProps {
  server: Server;
  title?: string;
  text?: ReactNode;
  /** Called after the move; without it the dialog closes. */
  onMoved?: () => void;
  onClose: () => void;
}

export function MoveLinesDialog({ server, title, text, onMoved, onClose }: MoveLinesDialogProps) {
  const { t } = useTranslation('servers');
  const { data, isSuccess } = useQuery(serverChoicesQuery());
  const targets = (data ?? []).filter((other) => other.id !== server.id && takesLines(other));
  const from = data?.find(({ id }) => id === server.id);
  const showJob = useShowStoredJob();
  const { form, field, submission } = useCommandForm(moveLines, {
    params: { id: server.id },
    refreshes: ['servers'],
    waits: true,
    defaultValues: { to_server_id: '' },
    done: ({ moved, to_tell, job_id }, { to_server_id }) => {
      const name = targets.find(({ id }) => id === to_server_id)?.server_name;
      results.success(t('move.done', { count: moved, name }));
      // Its card has the list of customers to tell.
      if (job_id && to_tell > 0) void showJob(job_id);
      (onMoved ?? onClose)();
    },
    fieldOfCode: { NO_ACTIVE_CCCAM_SERVERS: 'to_server_id' },
    // The unsaved guard is off because the only input is one quick choice.
    isGuarded: false,
  });
  const { line_count: count, server_name: name } = server;
  const chosen = useWatch({ control: form.control, name: 'to_server_id' });
  const to = targets.find(({ id }) => id === chosen);
  const moved = { to_server_id: chosen };
  const { data: customers } = useQuery({
    ...serverCustomersQuery(server.id, moved),
    enabled: to !== undefined,
  });
  const optionOf = (target: (typeof targets)[number]) => ({
    ...serverOption(target),
    ...(from && !mustChange(enteredAt(from), enteredAt(target))
      ? { description: t('move.sameAddress') }
      : {}),
  });
  return (
    <FormDialog
      submission={submission}
      title={title ?? t('move.title', { name })}
      text={text ?? t('move.text', { count })}
      submitLabel={t('move.confirm', { count })}
      onClose={onClose}
    >
      {isSuccess && targets.length === 0 ? (
        <NoTarget />
      ) : (
        <>
          <SelectInput
            {...field('to_server_id')}
            label={t('move.target')}
            placeholder={t('move.choose')}
            required
            options={targets.map(optionOf)}
          />
          {from && to && customers && (
            <AddressChange
              from={enteredAt(from)}
              to={enteredAt(to)}
              count={customers.lines}
              listAddress={customersFile(server.id, moved)}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

function NoTarget() {
  const { t } = useTranslation('servers');
  const errorText = useErrorText();
  return (
    <Banner tone="warning" title={errorText('NO_ACTIVE_CCCAM_SERVERS')}>
      <Link to="/cccam-servers/add">{t('move.noTarget')}</Link>
    </Banner>
  );
}
