import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { createLine, newLine } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import type { ApiError } from '../../../shared/api/client.ts';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { usePriceOf } from '../../../shared/data/prices.ts';
import { serverChoicesQuery, takesLines } from '../../../shared/data/server-choices.ts';
import { useMe } from '../../../shared/data/session.ts';
import { SelectInput } from '../../../shared/forms/fields/select-input.tsx';
import { TextInput } from '../../../shared/forms/fields/text-input.tsx';
import { FormActions, FormCard } from '../../../shared/forms/form.tsx';
import { generatePassword } from '../../../shared/forms/pickers/generate-password.ts';
import { PasswordField } from '../../../shared/forms/pickers/password-field.tsx';
import { serverOption } from '../../../shared/forms/pickers/server-option.ts';
import { SubmitButton } from '../../../shared/forms/submit-button.tsx';
import { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../../shared/forms/use-submit.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { lazyComponent } from '../../../shared/start/lazy-component.tsx';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { Stack } from '../../../shared/ui/vocabulary.tsx';
import styles from './add-line.module.css';
import type { CreatedLine, NewLineForm } from './add-line-types.ts';
import { BalanceLine } from './balance-line.tsx';
import { DurationCards } from './duration-cards.tsx';
import { type LastSale, useLastSale } from './last-sale.ts';
import { NameField } from './name-field.tsx';

/** Only administrators can sell a line for another account. */
const OwnerInput = lazyComponent(
  async () =>
    (await import('../../../shared/forms/pickers/account-picker.tsx')).AccountInput<
      z.input<typeof newLine>,
      z.output<typeof newLine>
    >,
  // Reserves the field's height until its code is loaded, to avoid a layout shift.
  { before: () => <div className={styles.later} />, isPart: true },
);

const FIRST_MONTHS = 12;

/** The field to show an error on, for error codes that concern one field without naming it. */
const fieldOfCode = {
  USERNAME_EXISTS: 'username',
  SERVER_NOT_FOUND: 'server_id',
  USER_NOT_FOUND: 'owner_id',
  TRIAL_LIMIT_REACHED: 'subscription_months',
} as const satisfies Partial<Record<ErrorCode, string>>;

/** Creates the form for the next line: a new password, with months and server of the last sale. */
function useNewLineForm(serverId: string | undefined, lastSale: LastSale | undefined): NewLineForm {
  const me = useMe();
  const [password] = useState(generatePassword);
  return useContractForm({
    schema: newLine,
    defaultValues: {
      username: '',
      password,
      is_trial: false,
      subscription_months: lastSale?.subscription_months ?? FIRST_MONTHS,
      // Sends the server that the form shows, even if a newer one has become available.
      server_id: serverId,
      ...(me.is_admin ? { owner_id: me.id } : {}),
    },
  });
}

function useSale(
  form: NewLineForm,
  { gone }: ServerChoice,
  onCreated: (created: CreatedLine) => void,
) {
  const { keepSale } = useLastSale();
  return useSubmit({
    form,
    bodyOf: (body) => {
      if (!gone) return body;
      // The error is already shown on this field.
      form.setFocus('server_id');
      return undefined;
    },
    command: useCommand(createLine, { refreshes: ['lines', 'me'] }),
    done: (changed, body) => {
      keepSale(body);
      onCreated({ ...changed, password: body.password });
    },
    fieldOfCode,
  });
}

interface AddLineFormProps {
  serverId: string | undefined;
  onCreated: (created: CreatedLine) => void;
}

export function AddLineForm({ serverId, onCreated }: AddLineFormProps) {
  const { t } = useTranslation('lines');
  const me = useMe();
  const { lastSale } = useLastSale();
  const form = useNewLineForm(serverId, lastSale);
  const { control } = form;
  const serverChoice = useServerChoice(form);
  const submission = useSale(form, serverChoice, onCreated);
  return (
    <FormCard
      submission={submission}
      label={t('addLine')}
      advice={(error) => <Advice error={error} />}
    >
      <NameField
        control={control}
        name="username"
        label={t('columns.username')}
        hint={t('add.usernameHint')}
        serverId={useWatch({ control, name: 'server_id' })}
        autoFocus
      />
      <PasswordField
        form={form}
        name="password"
        label={t('columns.password')}
        isGenerated
        required
      />
      <DurationCards form={form} />
      <ServerField control={control} choice={serverChoice} />
      {me.is_admin && (
        <OwnerInput
          control={control}
          name="owner_id"
          label={t('columns.owner')}
          initial={{ id: me.id, email: me.email }}
        />
      )}
      <TextInput control={control} name="notes" label={t('add.notes')} multiline />
      <MoreDetails control={control} />
      <BalanceLine control={control} />
      <FormActions>
        <SubmitButton pending={submission.isPending} size="large">
          <Effect control={control} />
        </SubmitButton>
        <ButtonLink to="/users/all" size="large">
          {t('add.cancel')}
        </ButtonLink>
      </FormActions>
    </FormCard>
  );
}

function Effect({ control }: { control: NewLineForm['control'] }) {
  const { t } = useTranslation('lines');
  const { is_admin } = useMe();
  const [isTrial, months = 0] = useWatch({ control, name: ['is_trial', 'subscription_months'] });
  const cost = usePriceOf()(months);
  if (isTrial) return t('add.createTrial');
  return is_admin || cost === undefined ? t('add.createFree') : t('add.create', { count: cost });
}

function Advice({ error }: { error: ApiError }) {
  const { t } = useTranslation('lines');
  if (error.code === 'INSUFFICIENT_CREDITS') return t('add.adviceCredits');
  return error.status === 0 || error.status >= 500 ? t('actions.retryAdvice') : null;
}

const detailNames = ['name', 'company', 'email', 'info', 'live_channel'] as const;

/** Optional customer details, collapsed because most lines are sold without them. */
function MoreDetails({ control }: { control: NewLineForm['control'] }) {
  const { t } = useTranslation('lines');
  return (
    <details className={styles.details}>
      <summary>
        {t('add.moreDetails')}
        <ChevronDown size={18} aria-hidden="true" />
      </summary>
      <Stack gap={24} above={16}>
        {detailNames.map((name) => (
          <TextInput
            key={name}
            control={control}
            name={name}
            label={t(`add.${name}`)}
            type={name === 'email' ? 'email' : 'text'}
            autoComplete="off"
          />
        ))}
      </Stack>
    </details>
  );
}

interface ServerFieldProps {
  control: NewLineForm['control'];
  choice: ServerChoice;
}

const whyGone = {
  error: 'add.serverInError',
  inactive: 'add.serverInactive',
  closed: 'add.serverClosed',
  full: 'add.serverFull',
  // A server that takes lines again since it was refused.
  active: 'add.newestActive',
} as const;

function ServerField({ control, choice }: ServerFieldProps) {
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const { active, gone, isReplaced, isNone, isAnyActive } = choice;
  if (isNone) {
    return (
      <Banner
        tone="warning"
        title={errorText(isAnyActive ? 'NO_SERVER_TAKES_LINES' : 'NO_ACTIVE_SERVERS')}
      >
        {t('add.noServersHelp')}
      </Banner>
    );
  }
  const options = active.map((server, index) => ({
    ...serverOption(server),
    ...(index === 0 && { description: t('add.newestActive') }),
  }));
  if (gone?.server) {
    const { status, takes_no_lines } = gone.server;
    options.push({
      ...serverOption(gone.server),
      description: t(whyGone[(status === 'active' && takes_no_lines) || status]),
      disabled: true,
    });
  }
  return (
    <SelectInput
      control={control}
      name="server_id"
      label={t('columns.server')}
      options={options}
      hint={isReplaced && t('add.serverReplaced')}
      problem={gone && t('add.serverGone')}
    />
  );
}

/**
 * Keeps the server of a new line valid if a server fails, fills up or is closed while the form is open: a preselected
 * server is replaced by the newest active one; a server the seller chose is kept and reported as
 * unavailable.
 */
function useServerChoice({ control, setValue }: NewLineForm) {
  const { data = [], isSuccess } = useQuery(serverChoicesQuery());
  const id = useWatch({ control, name: 'server_id' });
  const [offered, setOffered] = useState({ id, isReplaced: false });
  const active = data.filter(takesLines);
  const newest = active[0]?.id;
  const isChosen = id !== offered.id;
  const isGone = newest !== undefined && !active.some((server) => server.id === id);
  useEffect(() => {
    if (!isGone || isChosen) return;
    setValue('server_id', newest);
    setOffered({ id: newest, isReplaced: id !== undefined });
  }, [isGone, isChosen, newest, id, setValue]);
  return {
    active,
    gone: isGone && isChosen ? { server: data.find((server) => server.id === id) } : undefined,
    isReplaced: offered.isReplaced && !isChosen,
    isNone: isSuccess && newest === undefined,
    isAnyActive: data.some(({ status }) => status === 'active'),
  };
}

type ServerChoice = ReturnType<typeof useServerChoice>;
