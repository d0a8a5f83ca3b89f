import { type Account, addCredits } from '@linekeeper/contract/accounts/accounts.ts';
import { useTranslation } from 'react-i18next';
import { BalanceRows, left } from '../../../shared/forms/balance-rows.tsx';
import { FormDialog } from '../../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../../shared/forms/use-submit.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { useMe } from '../../../shared/session.ts';
import { toast } from '../../../shared/ui/toasts/toast.ts';
import { useAddCredits } from '../queries.ts';
import { CreditsFields } from './credits-fields.tsx';

interface AddCreditsDialogProps {
  account: Account;
  onClose: () => void;
}

/** Gives credits; an administrator mints them, others give from their own balance. */
export function AddCreditsDialog({ account, onClose }: AddCreditsDialogProps) {
  const { t } = useTranslation('accounts');
  const me = useMe();
  const name = isolate(account.full_name || account.email);
  const form = useContractForm({ schema: addCredits.body, defaultValues: { note: '' } });
  const submission = useSubmit({
    form,
    send: useAddCredits(account.id).mutateAsync,
    fieldOfCode: { INSUFFICIENT_CREDITS: 'amount' },
    onSuccess: ({ transfer }) => {
      onClose();
      toast.success(t('addCredits.done', { count: transfer.amount, name }));
    },
  });
  const amount = addCredits.body.shape.amount.safeParse(form.watch('amount')).data;
  return (
    <FormDialog
      submission={submission}
      title={t('addCredits.of', { name })}
      submitLabel={amount ? t('addCredits.confirm', { count: amount }) : t('addCredits.action')}
      onClose={onClose}
    >
      <FormProblems form={form} />
      <CreditsFields form={form} most={me.is_admin ? undefined : me.credits} />
      <BalanceRows
        rows={[
          { label: t('addCredits.before'), value: account.credits },
          { label: t('addCredits.added'), value: amount, isChange: true },
          ...(me.is_admin ? [] : [{ label: t('addCredits.own'), value: left(me.credits, amount) }]),
          { label: t('addCredits.after'), value: amount && account.credits + amount },
        ]}
      />
    </FormDialog>
  );
}
