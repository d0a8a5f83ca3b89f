import {
  type Account,
  addCredits,
  takeBackCredits,
} from '@linekeeper/contract/accounts/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { accountQuery } from '../../../shared/data/accounts.ts';
import { useMe } from '../../../shared/data/session.ts';
import { FormDialog } from '../../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../../shared/forms/use-submit.ts';
import { toast } from '../../../shared/state/toast.ts';
import { accountFiguresQuery } from '../queries.ts';
import { CreditsFields } from './credits-fields.tsx';
import { CreditsSides } from './credits-sides.tsx';
import { type Direction, DirectionSwitch } from './direction-switch.tsx';
import { OpenOrders } from './open-orders.tsx';

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

/** Moves credits to an account or back, and says before what both balances will be. */
function CreditsDialog({
  account: listed,
  first,
  onClose,
}: CreditsDialogProps & { first: Direction }) {
  const { t } = useTranslation(['account', 'accounts']);
  const me = useMe();
  const [direction, setDirection] = useState(first);
  // The row of a list may be older than what is decided by it.
  const { data: account = listed } = useQuery({
    ...accountQuery(listed.id),
    placeholderData: listed,
    staleTime: 0,
  });
  const isAdding = direction === 'addCredits';
  const name = account.full_name || account.email;
  const ofAccount = { params: { id: account.id }, refreshes: ['accounts'] } as const;
  const add = useCommand(addCredits, ofAccount);
  const takeBack = useCommand(takeBackCredits, ofAccount);
  const form = useContractForm({
    schema: (isAdding ? addCredits : takeBackCredits).body,
    defaultValues: { note: '' },
  });
  const submission = useSubmit({
    form,
    command: isAdding ? add : takeBack,
    fieldOfCode: { INSUFFICIENT_CREDITS: 'amount', NOT_FROM_ABOVE: 'amount' },
    done: ({ transfer: { amount: count } }) => {
      onClose();
      toast.success(
        isAdding
          ? t('accounts:addCredits.done', { count, name })
          : t('takeBack.done', { count, name }),
      );
    },
  });
  const count = addCredits.body.shape.amount.safeParse(form.watch('amount')).data;
  // Others than administrators leave an account what it bought or redeemed.
  const { data: figures } = useQuery({
    ...accountFiguresQuery(account.id),
    enabled: !(isAdding || me.is_admin),
    staleTime: 0,
  });
  const toTakeBack = me.is_admin ? account.credits : figures?.from_above;
  const most = isAdding ? (me.is_admin ? undefined : me.credits) : toTakeBack;
  const kept = isAdding || most === undefined ? 0 : account.credits - most;
  const confirm = isAdding
    ? t('accounts:addCredits.confirm', { count: count ?? 0 })
    : t('takeBack.confirm', { count: count ?? 0 });
  return (
    <FormDialog
      submission={submission}
      title={t('credits.label')}
      submitLabel={count ? confirm : t(`acts.${direction}`)}
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
