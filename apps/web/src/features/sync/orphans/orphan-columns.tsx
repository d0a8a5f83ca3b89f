import { formatDay } from '@linekeeper/contract/dates.ts';
import { day, userId } from '@linekeeper/contract/fields/fields.ts';
import { linePassword } from '@linekeeper/contract/fields/line-credentials.ts';
import { adoptOrphans, type Orphan } from '@linekeeper/contract/servers/orphans.ts';
import { Trash2, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { AccountInput } from '#domain/accounts/account-picker.tsx';
import { ExpiryBadge } from '#domain/lines/expiry.tsx';
import { LineLink } from '#domain/lines/line-link.tsx';
import { useSyncResults } from '#domain/lines/use-retry-sync.ts';
import { useRetry } from '#features/sync/use-retry.ts';
import { PasswordInput } from '#kit/forms/fields/password-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { DayInput } from '#kit/forms/pickers/day-picker.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { results } from '#platform/state/results.ts';
import { RemoveDialog } from './remove-dialog.tsx';

export const orphanColumns: ListColumn<Orphan>[] = [
  column.name('username', (orphan) => <Username orphan={orphan} />, {
    sortBy: 'username',
    look: 'typed',
  }),
  column.text('server', ({ server_name }) => <TypedText>{server_name}</TypedText>, {
    look: 'typed',
  }),
  column.text('expiry', ({ expiry_date }) => <Expiry day={expiry_date} />, {
    sortBy: 'expiry_date',
    // This width fits a day and its badge in all languages, and "5 miesięcy temu" on two rows.
    width: { size: 236, min: 146, max: undefined },
  }),
  column.moment('found', ({ found_at }) => found_at, { sortBy: 'found_at' }),
];

function Username({ orphan: { username, name_problem } }: { orphan: Orphan }) {
  const { t } = useTranslation();
  return (
    <span className="inline-flex items-center flex-wrap gap-y-1 gap-x-2 min-w-0 wrap-anywhere">
      <TypedText>{username}</TypedText>
      {name_problem && (
        <Badge tone="warning" icon={<TriangleAlert />}>
          {t('line.name.long')}
        </Badge>
      )}
    </span>
  );
}

function Expiry({ day }: { day: Orphan['expiry_date'] }) {
  const { t } = useTranslation('sync');
  if (!day) return t('orphans.noExpiry');
  return (
    <span className="phone:[--cell-wrap:wrap] phone:[--cell-indent:0] phone:[&>span]:justify-end">
      <ExpiryBadge day={day} />
    </span>
  );
}

export function OrphanActions({ row: orphan }: { row: Orphan }) {
  const { t } = useTranslation('sync');
  const [asked, setAsked] = useState<'adopt' | 'remove' | null>(null);
  const named = { username: orphan.username, server: orphan.server_name };
  const close = () => setAsked(null);
  return (
    <span className="inline-flex items-center gap-2">
      {orphan.refusal ? (
        <WhyNot orphan={orphan} />
      ) : (
        <Button
          size="small"
          aria-label={t('orphans.adopt.of', named)}
          onClick={() => setAsked('adopt')}
        >
          {t('orphans.adopt.action')}
        </Button>
      )}
      {orphan.can_remove && (
        <IconButton
          size="small"
          label={t('orphans.remove.of', named)}
          onClick={() => setAsked('remove')}
        >
          <Trash2 size={18} aria-hidden="true" />
        </IconButton>
      )}
      {asked === 'adopt' && <AdoptDialog orphan={orphan} onClose={close} />}
      {asked === 'remove' && <RemoveDialog what={orphan} onClose={close} />}
    </span>
  );
}

/** The reason why an account cannot become a line: its name belongs to a line elsewhere, or no line may have it. */
function WhyNot({ orphan: { line_id } }: { orphan: Orphan }) {
  const { t } = useTranslation('sync');
  if (!line_id) return <span className="text-text-2 type-caption">{t('orphans.unfit')}</span>;
  return (
    <LineLink id={line_id} className="text-text-2 type-caption">
      {t('orphans.taken')}
    </LineLink>
  );
}

/** The form's schema; the password is required if the server does not report it. */
const formOf = ({ tells_password }: Orphan) =>
  z.object({
    owner_id: userId,
    expiry_date: day,
    password: tells_password ? z.string() : linePassword,
  });

/** The dialog that asks for the owner of the new line, and for facts that its server does not report. */
function AdoptDialog({ orphan, onClose }: { orphan: Orphan; onClose: () => void }) {
  const { t } = useTranslation('sync');
  const me = useMe();
  const syncResults = useSyncResults();
  const { retryMany } = useRetry();
  const { id, username, server_name: server, expiry_date: told, tells_password } = orphan;
  const { field, submission } = useCommandForm(adoptOrphans, {
    schema: formOf(orphan),
    refreshes: ['sync', 'lines'],
    defaultValues: { owner_id: me.id, expiry_date: told ? formatDay(told) : '', password: '' },
    bodyOf: ({ owner_id, expiry_date, password }) => ({
      ids: [id],
      owner_id,
      // Unchanged fields are left out, so that the panel reads the present values from the server.
      ...(expiry_date === told ? {} : { expiry_date }),
      ...(password === '' ? {} : { password }),
    }),
    done: ({ sync, sync_finding }) => {
      onClose();
      if (sync.ok) results.success(t('orphans.adopt.done', { username }));
      else syncResults.stillRefused(username, sync_finding, () => void retryMany({ all: true }));
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
      title={t('orphans.adopt.of', { username, server })}
      text={t('orphans.adopt.text', { server })}
      submitLabel={t('orphans.adopt.action')}
      onClose={onClose}
    >
      {orphan.name_problem && (
        <Banner tone="warning" title={t(`line.name.${orphan.name_problem}`)} />
      )}
      <AccountInput {...field('owner_id')} label={t('field.owner')} initial={me} required />
      <DayInput {...field('expiry_date')} label={t('field.expiry')} required />
      <PasswordInput
        {...field('password')}
        label={t('field.password')}
        hint={t(tells_password ? 'orphans.adopt.passwordHint' : 'orphans.adopt.passwordAsked')}
        autoComplete="new-password"
        required={!tells_password}
      />
    </FormDialog>
  );
}
