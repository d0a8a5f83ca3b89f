import { type Account, createAccount } from '@linekeeper/contract/accounts/accounts.ts';
import { MIN_PASSWORD_LENGTH, newPassword } from '@linekeeper/contract/fields/fields.ts';
import { ADMIN_GROUP, RESELLER_GROUP } from '@linekeeper/contract/permissions.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { useGroupOptions } from '#domain/accounts/groups.ts';
import { type Counted, isReached } from '#domain/accounts/limits.ts';
import { useOwnLimits } from '#domain/accounts/use-own-limits.ts';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormActions, FormPage } from '#kit/forms/form.tsx';
import { PasswordField } from '#kit/forms/pickers/password-field.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { useScreen } from '#kit/page/use-screen.ts';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { useMe } from '#platform/data/session.ts';
import { InvitationCard } from './invitation-card.tsx';

/** The form of a new account. If its password is empty, the account's owner sets one by a link. */
const accountForm = createAccount.body.extend({ password: z.union([z.literal(''), newPassword]) });

const newAccount = {
  email: '',
  password: '',
  full_name: '',
  group_id: RESELLER_GROUP,
  credits: 0,
  notes: '',
};

interface Made {
  account: Account;
  password: string | undefined;
}

/**
 * The page below each of the two lists of accounts that adds an account; it ends with the
 * invitation for the account's owner.
 */
export function AddAccountPage() {
  const [made, setMade] = useState<Made>();
  if (!made) return <AddAccountForm onMade={setMade} />;
  return (
    <>
      <PageHeader />
      <InvitationCard {...made} onAnother={() => setMade(undefined)} />
    </>
  );
}

function AddAccountForm({ onMade }: { onMade: (made: Made) => void }) {
  const { t } = useTranslation('accounts');
  const { is_admin } = useMe();
  const listPath = useScreen().parent === 'resellers' ? '/resellers' : '/accounts';
  // Only administrators may create administrators.
  const groups = useGroupOptions().filter(({ value }) => is_admin || value !== ADMIN_GROUP);
  const { form, field, submission } = useCommandForm(createAccount, {
    schema: accountForm,
    refreshes: ['accounts'],
    defaultValues: newAccount,
    bodyOf: ({ password, ...about }) => ({ ...about, ...(password ? { password } : {}) }),
    done: ({ account }, { password }) => onMade({ account, password }),
    fieldOfCode: {
      EMAIL_EXISTS: 'email',
      GROUP_NOT_FOUND: 'group_id',
      INSUFFICIENT_CREDITS: 'credits',
    },
  });
  const { data: limits } = useOwnLimits();
  const isFull = limits && isReached(limits.accounts);
  const label = t('nav.addAccount');
  return (
    <FormPage
      submission={submission}
      label={label}
      {...(isFull ? {} : { submitLabel: label, cancelTo: listPath })}
    >
      {isFull && <FullNotice {...limits.accounts} />}
      <TextInput
        {...field('email')}
        label={t('field.email')}
        type="email"
        autoComplete="off"
        required
      />
      <PasswordField
        form={form}
        name="password"
        label={t('field.password')}
        hint={t('add.passwordOptional', { minimum: MIN_PASSWORD_LENGTH })}
      />
      <TextInput {...field('full_name')} label={t('field.fullName')} />
      <SelectInput {...field('group_id')} label={t('field.group')} options={groups} />
      <TextInput
        {...field('credits')}
        label={t('add.credits')}
        hint={t(is_admin ? 'add.creditsHint' : 'add.ownCreditsHint')}
        type="number"
      />
      <TextInput {...field('notes')} label={t('field.notes')} multiline />
      {isFull && <AskForAccounts />}
    </FormPage>
  );
}

function FullNotice({ used, bound }: Counted) {
  const { t } = useTranslation('accounts');
  return <Banner tone="warning" title={t('limit.full', { used, count: bound ?? 0 })} />;
}

/**
 * The button that opens a ticket with its title filled in. It replaces the button that adds an
 * account once the limit of accounts is reached.
 */
function AskForAccounts() {
  const { t } = useTranslation('accounts');
  return (
    <FormActions>
      <ButtonLink to="/tickets/new" search={{ title: t('limit.ticket') }} variant="solid">
        {t('limit.ask')}
      </ButtonLink>
    </FormActions>
  );
}
