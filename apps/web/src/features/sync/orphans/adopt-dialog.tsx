import { formatDay } from '@linekeeper/contract/dates.ts';
import { day, userId } from '@linekeeper/contract/fields/fields.ts';
import { linePassword } from '@linekeeper/contract/fields/line-credentials.ts';
import { adoptOrphans, type Orphan } from '@linekeeper/contract/servers/orphans.ts';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { useMe } from '../../../shared/data/session.ts';
import { PasswordInput } from '../../../shared/forms/fields/password-input.tsx';
import { FormDialog } from '../../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../../shared/forms/form-problems.tsx';
import { AccountInput } from '../../../shared/forms/pickers/account-picker.tsx';
import { DayInput } from '../../../shared/forms/pickers/day-picker.tsx';
import { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../../shared/forms/use-submit.ts';
import { useSyncToasts } from '../../../shared/lines/use-retry-sync.ts';
import { toast } from '../../../shared/state/toast.ts';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { useRetry } from '../use-retry.ts';

/** The password is needed where the server does not tell it. */
const formOf = ({ tells_password }: Orphan) =>
  z.object({
    owner_id: userId,
    expiry_date: day,
    password: tells_password ? z.string() : linePassword,
  });

interface AdoptDialogProps {
  orphan: Orphan;
  onClose: () => void;
}

/** Asks for the owner of the new line, and for what its server does not tell. */
export function AdoptDialog({ orphan, onClose }: AdoptDialogProps) {
  const { t } = useTranslation('sync');
  const me = useMe();
  const toasts = useSyncToasts();
  const { retryMany } = useRetry();
  const { id, username, server_name: server, expiry_date: told, tells_password } = orphan;
  const form = useContractForm({
    schema: formOf(orphan),
    defaultValues: { owner_id: me.id, expiry_date: told ? formatDay(told) : '', password: '' },
  });
  const { control } = form;
  const submission = useSubmit({
    form,
    command: useCommand(adoptOrphans, { refreshes: ['sync', 'lines'] }),
    bodyOf: ({ owner_id, expiry_date, password }) => ({
      ids: [id],
      owner_id,
      // What is as it was is taken from the server anew, which may have changed since.
      ...(expiry_date === told ? {} : { expiry_date }),
      ...(password === '' ? {} : { password }),
    }),
    done: ({ sync, sync_finding }) => {
      onClose();
      if (sync.ok) toast.success(t('orphans.adopt.done', { username }));
      else toasts.stillRefused(username, sync_finding, () => void retryMany({ all: true }));
    },
    fieldOfCode: {
      ORPHAN_PASSWORD_UNKNOWN: 'password',
      ORPHAN_EXPIRY_UNKNOWN: 'expiry_date',
      USER_NOT_FOUND: 'owner_id',
    },
  });
  return (
    <FormDialog
      submission={submission}
      title={t('orphans.adopt.title', { username })}
      text={t('orphans.adopt.text', { server })}
      submitLabel={t('orphans.adopt.action')}
      onClose={onClose}
    >
      <FormProblems form={form} />
      {orphan.name_problem && (
        <Banner tone="warning" title={t(`line.name.${orphan.name_problem}`)} />
      )}
      <AccountInput
        control={control}
        name="owner_id"
        label={t('orphans.adopt.owner')}
        initial={me}
        required
      />
      <DayInput control={control} name="expiry_date" label={t('orphans.adopt.expiry')} required />
      <PasswordInput
        control={control}
        name="password"
        label={t('orphans.adopt.password')}
        hint={t(tells_password ? 'orphans.adopt.passwordHint' : 'orphans.adopt.passwordAsked')}
        autoComplete="new-password"
        required={!tells_password}
      />
    </FormDialog>
  );
}
