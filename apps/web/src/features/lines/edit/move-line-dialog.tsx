import { editLine, lineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { AccountInput } from '#domain/accounts/account-picker.tsx';
import { useShowStoredJob } from '#domain/jobs/queries.ts';
import { AddressChange } from '#domain/lines/address-change.tsx';
import { ServerCards } from '#domain/lines/move/server-cards.tsx';
import { useRetrySync } from '#domain/lines/use-retry-sync.ts';
import { enteredAt, serverChoicesQuery } from '#domain/servers/server-choices.ts';
import { ChangeAdvice } from '#features/lines/refused-change.tsx';
import { changedFields } from '#kit/forms/changed-fields.ts';
import { useFieldErrorText } from '#kit/forms/fields/use-field.ts';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';

const place = lineChanges.pick({ owner_id: true, server_id: true });

export function MoveLineDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const { t } = useTranslation('lines');
  const { tell } = useRetrySync(line);
  const showMove = useShowStoredJob();
  const { owner_id, server_id, owner_email, username } = line;
  const { form, field, submission } = useCommandForm(editLine, {
    schema: place,
    params: { id: line.id },
    refreshes: ['lines', 'me'],
    defaultValues: { owner_id, server_id },
    bodyOf: (values, form) => {
      const { defaultValues } = form.formState;
      const body = changedFields(values, values, defaultValues);
      return Object.keys(body).length > 0 ? body : undefined;
    },
    done: async (reply) => {
      onClose();
      if (reply.job_id && (await showMove(reply.job_id))) return;
      tell(reply, t('move.done', { username }), t('line.sync.saved'), reply.line.server_id);
    },
    fieldOfCode: {
      USER_NOT_FOUND: 'owner_id',
      SERVER_NOT_FOUND: 'server_id',
      NO_ACTIVE_CCCAM_SERVERS: 'server_id',
    },
  });
  const { field: server, fieldState } = useController({ control: form.control, name: 'server_id' });
  return (
    <FormDialog
      submission={submission}
      advice={(error) => <ChangeAdvice error={error} />}
      title={t('move.title', { username })}
      submitLabel={t('move.confirm')}
      blocked={form.formState.isDirty ? undefined : t('move.choose')}
      disableRestoreFocus
      onClose={onClose}
    >
      <ServerCards
        legend={t('field.server')}
        value={server.value === server_id ? undefined : server.value}
        onChange={server.onChange}
        firstRef={server.ref}
        problem={useFieldErrorText()(fieldState.error)}
        places={[{ server_id, host_port: line.host_port, count: 1 }]}
      />
      <LineAddressChange line={line} serverId={server.value} />
      <AccountInput
        {...field('owner_id')}
        label={t('field.owner')}
        initial={{ id: owner_id, email: owner_email }}
      />
    </FormDialog>
  );
}

interface LineAddressChangeProps {
  line: Pick<Line, 'server_id' | 'host_port'>;
  serverId: string | undefined;
}

/** The change for the customer of one line after a move; empty if the line does not move. */
export function LineAddressChange({ line, serverId }: LineAddressChangeProps) {
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  const find = (wanted: string | undefined) => servers.find(({ id }) => id === wanted);
  const [left, target] = [find(line.server_id), find(serverId)];
  if (!left?.host_port || !target?.host_port || serverId === line.server_id) return null;
  const moved = line.host_port.map((address) =>
    address === left.host_port ? (target.host_port ?? address) : address,
  );
  return (
    <AddressChange from={enteredAt(left, line.host_port)} to={enteredAt(target, moved)} count={1} />
  );
}
