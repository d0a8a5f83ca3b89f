import {
  type Account,
  addCredits,
  takeBackCredits,
} from '@linekeeper/contract/accounts/accounts.ts';
import { listTopUps } from '@linekeeper/contract/credits/top-ups.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { accountQuery } from '#domain/accounts/accounts.ts';
import { accountFiguresQuery } from '#features/accounts/queries.ts';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Segments } from '#kit/ui/controls/segments.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { call } from '#platform/api/client.ts';
import { useMe } from '#platform/data/session.ts';
import { formatPrice } from '#platform/format/format-price.ts';
import { CreditsSides } from './credits-sides.tsx';

interface CreditsDialogProps {
  account: Account;
  onClose: () => void;
}

export const AddCreditsDialog = (props: CreditsDialogProps) => (
  <CreditsDialog {...props} first="addCredits" />
);
export const TakeBackDialog = (props: CreditsDialogProps) => (
  <CreditsDialog {...props} first="takeBack" />
);

/** The dialog that moves credits to an account or back, with both new balances before it is sent. */
function CreditsDialog({
  account: listed,
  first,
  onClose,
}: CreditsDialogProps & { first: Direction }) {
  const { t } = useTranslation(['account', 'accounts']);
  const me = useMe();
  const [direction, setDirection] = useState(first);
  // The row of a list may be out of date, so the account is fetched.
  const { data: account = listed } = useQuery({
    ...accountQuery(listed.id),
    placeholderData: listed,
    staleTime: 0,
  });
  const isAdding = direction === 'addCredits';
  const name = account.full_name || account.email;
  const { form, submission } = useCommandForm(isAdding ? addCredits : takeBackCredits, {
    params: { id: account.id },
    refreshes: ['accounts'],
    defaultValues: { note: '' },
    fieldOfCode: { INSUFFICIENT_CREDITS: 'amount', NOT_FROM_ABOVE: 'amount' },
    onClose,
    doneText: ({ transfer: { amount: count } }) =>
      isAdding
        ? t('accounts:addCredits.done', { credits: t('credits.amount', { count: count }), name })
        : t('takeBack.done', { credits: t('credits.amount', { count: count }), name }),
  });
  const count = addCredits.body.shape.amount.safeParse(form.watch('amount')).data;
  // Accounts other than administrators cannot take back credits that the account bought or redeemed.
  const { data: figures } = useQuery({
    ...accountFiguresQuery(account.id),
    enabled: !(isAdding || me.is_admin),
    staleTime: 0,
  });
  const toTakeBack = me.is_admin ? account.credits : figures?.from_above;
  const most = isAdding ? (me.is_admin ? undefined : me.credits) : toTakeBack;
  const kept = isAdding || most === undefined ? 0 : account.credits - most;
  const confirm = isAdding
    ? t('accounts:addCredits.confirm', { credits: t('credits.amount', { count: count ?? 0 }) })
    : t('takeBack.confirm', { credits: t('credits.amount', { count: count ?? 0 }) });
  return (
    <FormDialog
      submission={submission}
      problems={null}
      title={t('nav.credits')}
      submitLabel={count ? confirm : isAdding ? t('credits.add') : t('acts.takeBack')}
      isWide
      onClose={onClose}
    >
      <DirectionSwitch
        value={direction}
        isFixed={account.credits === 0}
        onChange={(wanted) => {
          setDirection(wanted);
          form.clearErrors();
        }}
      />
      <FormProblems form={form} />
      {isAdding && me.is_admin && <OpenOrders account={account} />}
      <CreditsSides account={account} amount={count} isAdding={isAdding} />
      <CreditsFields
        form={form}
        most={most}
        hasMost={!isAdding}
        hint={
          most === undefined ? undefined : t(kept > 0 ? 'takeBack.most' : 'most', { most, kept })
        }
      />
    </FormDialog>
  );
}

type Direction = 'addCredits' | 'takeBack';
const directions: readonly Direction[] = ['addCredits', 'takeBack'];

interface DirectionSwitchProps {
  value: Direction;
  /** True if there are no credits to take back. */
  isFixed: boolean;
  onChange: (direction: Direction) => void;
}

function DirectionSwitch({ value, isFixed, onChange }: DirectionSwitchProps) {
  const { t } = useTranslation('account');
  if (isFixed && value === 'addCredits') return null;
  return (
    <Segments
      label={t('direction')}
      value={value}
      options={directions.map((direction) => ({
        value: direction,
        label: t(direction === 'addCredits' ? 'action.add' : 'takeBack.short'),
      }))}
      onChange={onChange}
    />
  );
}

/** Open orders of the account, because cash that it paid may be for one of them. */
function OpenOrders({ account: { id } }: { account: Account }) {
  const { t, i18n } = useTranslation('account');
  const { data } = useQuery({
    queryKey: ['top-ups', 'open', id],
    queryFn: ({ signal }) =>
      call(listTopUps, { query: { account_id: id, status: 'pending' } }, { signal }),
  });
  const [order] = data?.items ?? [];
  if (!data || !order) return null;
  const more = data.items.length - 1;
  const { number, credits, price_minor, currency } = order;
  return (
    <Banner
      tone="warning"
      title={[
        t('openOrder.title', {
          number,
          credits: t('credits.amount', { count: credits }),
          price: formatPrice(price_minor, currency, i18n.language),
        }),
        ...(more > 0 ? [t('more', { count: more })] : []),
      ].join(' ')}
      action={
        <ButtonLink
          to="/payments/top-ups"
          search={{ account: id, ...(more === 0 ? { q: number } : {}) }}
          size="small"
        >
          {t('openOrder.show')}
        </ButtonLink>
      }
    >
      <p>{t('openOrder.text')}</p>
    </Banner>
  );
}

const OFFERED = [10, 25, 50, 100];

interface Entered {
  amount: number;
  note?: string | undefined;
}
type CreditsForm = UseFormReturn<Entered, unknown, Entered>;

interface CreditsFieldsProps {
  form: CreditsForm;
  /** The most credits that can be moved; undefined if they are issued. */
  most?: number | undefined;
  /** True to offer the whole amount by a button, too. */
  hasMost?: boolean;
  hint?: string | undefined;
}

function CreditsFields({ form, most, hasMost = false, hint }: CreditsFieldsProps) {
  const { t } = useTranslation(['account', 'accounts']);
  const amount = form.watch('amount');
  const fitting = OFFERED.filter((one) => most === undefined || one <= most);
  const all = hasMost && most && !fitting.includes(most) ? [most] : [];
  const offered = [...fitting, ...all];
  return (
    <>
      <div className="grid grid-cols-1 gap-2">
        <TextInput
          control={form.control}
          name="amount"
          label={t('field.amount')}
          hint={hint}
          type="number"
          endAdornment={
            <span className="text-text-2">{t('credits.unit', { count: Number(amount) || 0 })}</span>
          }
          autoFocus
          required
        />
        <div className="grid grid-cols-[repeat(auto-fit,minmax(64px,1fr))] gap-2 empty:hidden">
          {offered.map((one) => (
            <Button
              key={one}
              size="small"
              variant={amount === one ? 'soft' : 'outlined'}
              aria-pressed={amount === one}
              aria-label={t('credits.amount', { count: one })}
              onClick={() =>
                form.setValue('amount', one, { shouldDirty: true, shouldValidate: true })
              }
            >
              {t('number', { value: one })}
            </Button>
          ))}
        </div>
      </div>
      <TextInput
        control={form.control}
        name="note"
        label={t('field.note')}
        hint={t('accounts:addCredits.noteHint')}
      />
    </>
  );
}
