import { type Account, takeBackCredits } from '@linekeeper/contract/accounts/accounts.ts';
import { useTranslation } from 'react-i18next';
import { BalanceRows, left } from '../../../shared/forms/balance-rows.tsx';
import { FormDialog } from '../../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../../shared/forms/use-submit.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { useMe } from '../../../shared/session.ts';
import { toast } from '../../../shared/ui/toasts/toast.ts';
import { useTakeBackCredits } from '../queries.ts';
import { CreditsFields } from './credits-fields.tsx';

interface TakeBackDialogProps {
  account: Account;
  onClose: () => void;
}

export function TakeBackDialog({ account, onClose }: TakeBackDialogProps) {
  const { t } = useTranslation(['account', 'accounts']);
  const me = useMe();
  const name = isolate(account.full_name || account.email);
  const form = useContractForm({ schema: takeBackCredits.body, defaultValues: { note: '' } });
  const submission = useSubmit({
    form,
    send: useTakeBackCredits(account.id).mutateAsync,
    onSuccess: ({ transfer }) => {
      onClose();
      toast.success(t('takeBack.done', { count: transfer.amount, name }));
    },
    fieldOfCode: { INSUFFICIENT_CREDITS: 'amount' },
  });
  const amount = takeBackCredits.body.shape.amount.safeParse(form.watch('amount')).data;
  return (
    <FormDialog
      submission={submission}
      title={t('takeBack.title', { name })}
      text={t(me.is_admin ? 'takeBack.textAdmin' : 'takeBack.text')}
      submitLabel={amount ? t('takeBack.confirm', { count: amount }) : t('acts.takeBack')}
      onClose={onClose}
    >
      <FormProblems form={form} />
      <CreditsFields
        form={form}
        most={account.credits}
        hint={t('takeBack.most', { most: account.credits })}
      />
      <BalanceRows
        rows={[
          { label: t('before'), value: account.credits },
          { label: t('takeBack.taken'), value: amount && -amount, isChange: true },
          ...(me.is_admin
            ? []
            : [{ label: t('accounts:addCredits.own'), value: amount && me.credits + amount }]),
          { label: t('after'), value: left(account.credits, amount) },
        ]}
      />
    </FormDialog>
  );
}
