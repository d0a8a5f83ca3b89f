import { type ListedTransfer, refundTransfer } from '@linekeeper/contract/transfers.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { FormDialog } from '../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { accountQuery } from '../../shared/forms/pickers/use-account.ts';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import type { WithIdempotencyKey } from '../../shared/forms/use-send.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { isolate } from '../../shared/i18n/isolate.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { toast } from '../../shared/ui/toasts/toast.ts';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { useIsPhone } from '../../shared/ui/use-is-phone.ts';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import styles from './credits.module.css';
import { usePartyName } from './transfer-cells.tsx';

function useRefund(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<{ note?: string | undefined }>) =>
      call(refundTransfer, { params: { id }, body }, { idempotencyKey }),
    onSettled: () => {
      for (const key of ['transfers', 'accounts', 'activity']) {
        void queryClient.invalidateQueries({ queryKey: [key] });
      }
    },
  });
}

export function RefundButton({ transfer }: { transfer: ListedTransfer }) {
  const { t } = useTranslation('credits');
  const isPhone = useIsPhone();
  const blocked = useNeedsConnection();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant={isPhone ? 'soft' : 'text'}
        size={isPhone ? 'medium' : 'small'}
        fullWidth={isPhone}
        blocked={blocked}
        aria-label={t('refund.title', { username: isolate(transfer.username ?? '') })}
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
    send: useRefund(id).mutateAsync,
    onSuccess: () => {
      onClose();
      toast.success(t('refund.done', { count: amount, name: isolate(name) }));
    },
  });
  return (
    <FormDialog
      submission={submission}
      title={t('refund.title', { username: isolate(username ?? '') })}
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
  const { t: common } = useTranslation();
  const { data: account } = useQuery(accountQuery(from_id));
  const number = (value: number) => common('number', { value });
  // The balance of an administrator is not counted.
  const counted = account && !account.is_admin ? account.credits : undefined;
  return (
    <dl className={styles.effect} aria-live="polite">
      <div>
        <dt>{t('refund.account')}</dt>
        <dd>
          <TypedText>{name}</TypedText>
        </dd>
      </div>
      <div>
        <dt>{t('refund.before')}</dt>
        <dd>{counted === undefined ? '–' : number(counted)}</dd>
      </div>
      <div>
        <dt>{t('refund.back')}</dt>
        <dd>+{number(amount)}</dd>
      </div>
      <div>
        <dt>{t('refund.after')}</dt>
        <dd>
          {counted === undefined ? '–' : common('credits.amount', { count: counted + amount })}
        </dd>
      </div>
    </dl>
  );
}
