import { type ListedTransfer, refundTransfer } from '@linekeeper/contract/credits/transfers.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../shared/browser/use-is-phone.ts';
import { useCommand } from '../../shared/commands/use-command.ts';
import { usePartyName } from '../../shared/credits/transfer-cells.tsx';
import { accountQuery } from '../../shared/data/accounts.ts';
import { BalanceRows } from '../../shared/forms/balance-rows.tsx';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { FormDialog } from '../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { toast } from '../../shared/state/toast.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';

export function RefundButton({ row: transfer }: { row: ListedTransfer }) {
  const { t } = useTranslation('credits');
  const isPhone = useIsPhone();
  const blocked = useNeedsConnection();
  const [isOpen, setOpen] = useState(false);
  if (!transfer.is_refundable) return null;
  return (
    <>
      <Button
        variant={isPhone ? 'soft' : 'text'}
        size={isPhone ? 'medium' : 'small'}
        fullWidth={isPhone}
        blocked={blocked}
        aria-label={t('refund.title', { username: transfer.username ?? '' })}
        onClick={() => setOpen(true)}
      >
        {t('refund.action')}
      </Button>
      {isOpen && <RefundDialog transfer={transfer} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Says what the refund does to the balance as it is now. */
function RefundDialog({ transfer, onClose }: { transfer: ListedTransfer; onClose: () => void }) {
  const { t } = useTranslation('credits');
  const { id, amount, from_id, from_name, username } = transfer;
  const name = usePartyName()(from_id, from_name);
  const form = useContractForm({ schema: refundTransfer.body, defaultValues: { note: '' } });
  const submission = useSubmit({
    form,
    command: useCommand(refundTransfer, {
      params: { id },
      refreshes: ['transfers', 'accounts', 'activity'],
    }),
    done: () => {
      onClose();
      toast.success(t('refund.done', { count: amount, name }));
    },
  });
  return (
    <FormDialog
      submission={submission}
      title={t('refund.title', { username: username ?? '' })}
      text={t('refund.text')}
      submitLabel={t('refund.confirm', { count: amount })}
      onClose={onClose}
    >
      <FormProblems form={form} />
      <Effect transfer={transfer} name={name} />
      <TextInput
        control={form.control}
        name="note"
        label={t('refund.note')}
        hint={t('refund.noteHint')}
        autoFocus
      />
    </FormDialog>
  );
}

function Effect({
  transfer: { from_id, amount },
  name,
}: {
  transfer: ListedTransfer;
  name: string;
}) {
  const { t } = useTranslation('credits');
  const { data: account } = useQuery(accountQuery(from_id));
  // The balance of an administrator is not counted.
  const counted = account && !account.is_admin ? account.credits : undefined;
  return (
    <BalanceRows
      rows={[
        { label: t('refund.account'), text: <TypedText>{name}</TypedText> },
        { label: t('refund.before'), value: counted },
        { label: t('refund.back'), value: amount, isChange: true },
        { label: t('refund.after'), value: counted === undefined ? undefined : counted + amount },
      ]}
    />
  );
}
