import { type Account, addCredits } from '@linekeeper/contract/accounts.ts';
import { useTranslation } from 'react-i18next';
import { TextInput } from '../../../shared/forms/fields/text-input.tsx';
import { FormDialog } from '../../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../../shared/forms/use-submit.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { useMe } from '../../../shared/session.ts';
import { toast } from '../../../shared/ui/toasts/toast.ts';
import { useAddCredits } from '../queries.ts';
import { BalanceRows, left } from './balance-rows.tsx';

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
      <TextInput
        control={form.control}
        name="amount"
        label={t('addCredits.amount')}
        type="number"
        autoFocus
        required
      />
      <TextInput
        control={form.control}
        name="note"
        label={t('addCredits.note')}
        hint={t('addCredits.noteHint')}
      />
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
