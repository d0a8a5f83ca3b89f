import { creditCost } from '@linekeeper/contract/credits.ts';
import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { newLine } from '@linekeeper/contract/lines.ts';
import { lazy, Suspense } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import type { ApiError } from '../../shared/api/client.ts';
import { useIdempotencyKey } from '../../shared/api/use-idempotency-key.ts';
import { applyServerErrors } from '../../shared/forms/apply-server-errors.ts';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { TextInput } from '../../shared/forms/text-input.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useUnsavedGuard } from '../../shared/forms/use-unsaved-guard.ts';
import { paths } from '../../shared/paths.ts';
import { useMe } from '../../shared/session.ts';
import { ButtonLink } from '../../shared/ui/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import styles from './add-line.module.css';
import type { CreatedLine, NewLineForm } from './add-line-types.ts';
import { BalanceLine } from './balance-line.tsx';
import { DurationCards } from './duration-cards.tsx';
import { FormProblems } from './form-problems.tsx';
import { MoreDetails } from './more-details.tsx';
import { PasswordField } from './password-field.tsx';
import { useCreateLine } from './queries.ts';
import { ServerField } from './server-field.tsx';

/** Only administrators sell for others. */
const OwnerInput = lazy(async () => ({
  default: (await import('./owner-input.tsx')).OwnerInput<
    z.input<typeof newLine>,
    z.output<typeof newLine>
  >,
}));

/** Refusals about one field, which the API does not name. */
const fieldOfCode = {
  USERNAME_EXISTS: 'username',
  SERVER_NOT_FOUND: 'server_id',
  USER_NOT_FOUND: 'owner_id',
  TRIAL_LIMIT_REACHED: 'subscription_months',
} as const satisfies Partial<Record<ErrorCode, string>>;

function useSale(form: NewLineForm, onCreated: (created: CreatedLine) => void) {
  const keyFor = useIdempotencyKey();
  const { mutateAsync, isPending } = useCreateLine();
  const sell = form.handleSubmit(async (body) => {
    try {
      const changed = await mutateAsync({ body, key: keyFor(body) });
      onCreated({ ...changed, password: body.password });
    } catch (error) {
      applyServerErrors(form, error, fieldOfCode);
    }
  });
  return { sell, isPending };
}

interface AddLineFormProps {
  newestServerId: string | undefined;
  onCreated: (created: CreatedLine) => void;
}

export function AddLineForm({ newestServerId, onCreated }: AddLineFormProps) {
  const { t } = useTranslation('lines');
  const me = useMe();
  const form: NewLineForm = useContractForm({
    schema: newLine,
    defaultValues: {
      username: '',
      password: '',
      is_trial: false,
      subscription_months: 12,
      // The server that is shown is the one that is meant, also where a newer one comes up meanwhile.
      server_id: newestServerId,
      ...(me.is_admin ? { owner_id: me.id } : {}),
    },
  });
  const { control } = form;
  const { sell, isPending } = useSale(form, onCreated);
  useUnsavedGuard(form.formState.isDirty);
  return (
    <Card as="div" className={styles.card}>
      <form className={styles.form} onSubmit={sell} noValidate aria-label={t('addLine')}>
        <FormProblems form={form} advice={(error) => <Advice error={error} />} />
        <TextInput
          control={control}
          name="username"
          label={t('columns.username')}
          hint={t('add.usernameHint')}
          autoComplete="off"
          spellCheck={false}
          required
        />
        <PasswordField
          control={control}
          name="password"
          label={t('columns.password')}
          onGenerate={(password) =>
            form.setValue('password', password, { shouldDirty: true, shouldValidate: true })
          }
          required
        />
        <DurationCards form={form} />
        <ServerField control={control} />
        {me.is_admin && (
          // Its room is kept: what follows does not move when it comes.
          <Suspense fallback={<div className={styles.later} />}>
            <OwnerInput
              control={control}
              name="owner_id"
              label={t('columns.owner')}
              initial={{ id: me.id, email: me.email }}
            />
          </Suspense>
        )}
        <TextInput control={control} name="notes" label={t('add.notes')} multiline />
        <MoreDetails control={control} />
        <BalanceLine control={control} />
        <div className={styles.actions}>
          <SubmitButton pending={isPending} size="large">
            <Effect control={control} />
          </SubmitButton>
          <ButtonLink to={paths.lines()} size="large">
            {t('add.cancel')}
          </ButtonLink>
        </div>
      </form>
    </Card>
  );
}

/** What the button does, in words. */
function Effect({ control }: { control: NewLineForm['control'] }) {
  const { t } = useTranslation('lines');
  const { is_admin } = useMe();
  const [isTrial, months = 0] = useWatch({ control, name: ['is_trial', 'subscription_months'] });
  if (isTrial) return t('add.createTrial');
  return is_admin ? t('add.createFree') : t('add.create', { count: creditCost(months) });
}

/** What to do about a refusal of the whole form. */
function Advice({ error }: { error: ApiError }) {
  const { t } = useTranslation('lines');
  if (error.code === 'INSUFFICIENT_CREDITS') return t('add.adviceCredits');
  return error.status === 0 || error.status >= 500 ? t('add.adviceRetry') : null;
}
