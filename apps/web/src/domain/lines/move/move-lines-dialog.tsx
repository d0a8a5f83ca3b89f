import { moveLines, type Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { AddressChange } from '#domain/lines/address-change.tsx';
import { enteredAt, serverChoicesQuery, takesLines } from '#domain/servers/server-choices.ts';
import { customersFile, serverCustomersQuery } from '#domain/servers/server-customers.ts';
import { useFieldErrorText } from '#kit/forms/fields/use-field.ts';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { Banner } from '#kit/ui/states/banner.tsx';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';
import { ServerCards } from './server-cards.tsx';

interface MoveLinesDialogProps {
  server: Pick<Server, 'id' | 'server_name' | 'line_count'>;
  title?: string;
  text?: ReactNode;
  /** Called after the move; without it the dialog closes. */
  onMoved?: () => void;
  onClose: () => void;
}

/** The dialog that moves all lines of a server. It first shows the new receiver settings of the customers. */
export function MoveLinesDialog({ server, title, text, onMoved, onClose }: MoveLinesDialogProps) {
  const { t } = useTranslation('servers');
  const navigate = useNavigate();
  const { data, isSuccess } = useQuery(serverChoicesQuery());
  const from = data?.find(({ id }) => id === server.id);
  const hasTarget = data?.some((other) => other.id !== server.id && takesLines(other));
  const { form, submission } = useCommandForm(moveLines, {
    params: { id: server.id },
    refreshes: ['servers'],
    waits: true,
    defaultValues: {},
    done: ({ moved, to_tell, job_id }, { to_server_id }) => {
      const name = data?.find(({ id }) => id === to_server_id)?.server_name;
      results.success(t('move.done', { count: moved, name }));
      (onMoved ?? onClose)();
      if (job_id && to_tell > 0) void navigate({ to: '/users/tell/$id', params: { id: job_id } });
    },
    fieldOfCode: { NO_ACTIVE_CCCAM_SERVERS: 'to_server_id' },
    // The guard for unsaved input is off, because the only input is one quick choice.
    isGuarded: false,
  });
  const { line_count: count, server_name: name } = server;
  const { field, fieldState } = useController({ control: form.control, name: 'to_server_id' });
  const problem = useFieldErrorText()(fieldState.error);
  const to = data?.find(({ id }) => id === field.value);
  const moved = { to_server_id: field.value };
  const { data: customers } = useQuery({
    ...serverCustomersQuery(server.id, moved),
    enabled: to !== undefined,
  });
  return (
    <FormDialog
      submission={submission}
      title={title ?? t('move.title', { name })}
      text={text ?? t('move.text', { count })}
      submitLabel={t('move.confirm')}
      onClose={onClose}
    >
      {isSuccess && !hasTarget ? (
        <NoTarget />
      ) : (
        <>
          <ServerCards
            legend={t('move.target')}
            value={field.value}
            onChange={field.onChange}
            onBlur={field.onBlur}
            firstRef={field.ref}
            problem={problem}
            places={[{ server_id: server.id, count }]}
          />
          {from && to && customers && (
            <AddressChange
              from={enteredAt(from)}
              to={enteredAt(to)}
              count={customers.lines}
              listAddress={customersFile(server.id, moved)}
            />
          )}
          <p className="text-text-2 type-caption">
            {customers && customers.lines > 0 && t('serverCard.owners')} {t('serverCard.undo')}
          </p>
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
