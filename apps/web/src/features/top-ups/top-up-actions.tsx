import { rejectTopUp, resolveTopUp, type TopUp } from '@linekeeper/contract/top-ups.ts';
import { useQuery } from '@tanstack/react-query';
import { Check, ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { FormDialog } from '../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSend } from '../../shared/forms/use-send.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { isolate } from '../../shared/i18n/isolate.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { useMe } from '../../shared/session.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { IconButton } from '../../shared/ui/buttons/icon-button.tsx';
import { toast } from '../../shared/ui/toasts/toast.ts';
import { useIsPhone } from '../../shared/ui/use-is-phone.ts';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import {
  packagesQuery,
  useApproveTopUp,
  useCheckOut,
  useRejectTopUp,
  useResolveTopUp,
} from './queries.ts';
import { ReceiptDialog } from './receipt.tsx';
import styles from './top-ups.module.css';

interface TopUpProps {
  topUp: TopUp;
}

/** What can be done: pay one's own, decide on those that wait, settle what is flagged, read the receipt. */
export function TopUpActions({ topUp }: TopUpProps) {
  const me = useMe();
  const { status, account_id, is_processing, problem, owed_credits } = topUp;
  const isPending = status === 'pending';
  const isPhone = useIsPhone();
  const actions = (
    <>
      {isPending && account_id === me.id && !is_processing && <PayButton topUp={topUp} />}
      {isPending && me.is_admin && <Decision topUp={topUp} />}
      {(problem !== null || owed_credits > 0) && <ResolveButton topUp={topUp} />}
      {status === 'approved' && <ReceiptButton topUp={topUp} />}
    </>
  );
  // A card draws nothing around actions that are none.
  return isPhone ? actions : <span className={styles.actions}>{actions}</span>;
}

function useButtonSize() {
  return useIsPhone() ? 'medium' : 'small';
}

function PayButton({ topUp: { id, number, method } }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const errorText = useErrorText();
  const blocked = useNeedsConnection();
  const size = useButtonSize();
  const checkOut = useCheckOut();
  const [isLeaving, setLeaving] = useState(false);
  const { data } = useQuery(packagesQuery());
  if (!data?.card_payments) return null;
  const pay = async () => {
    setLeaving(true);
    try {
      await checkOut(id);
    } catch (error) {
      toast.error(errorText(error));
      setLeaving(false);
    }
  };
  const text = t(method === 'card' ? 'pay.now' : 'pay.byCard');
  return (
    <Button
      variant="soft"
      size={size}
      pending={isLeaving}
      blocked={blocked}
      aria-label={t('pay.of', { action: text, number })}
      onClick={() => void pay()}
    >
      {text}
    </Button>
  );
}

function Decision({ topUp }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const errorText = useErrorText();
  const blocked = useNeedsConnection();
  const size = useButtonSize();
  const [isDeclining, setDeclining] = useState(false);
  const { id, credits, number, method } = topUp;
  const name = isolate(topUp.account_name);
  const approval = useSend({
    send: useApproveTopUp(id).mutateAsync,
    onSuccess: () => toast.success(t('approve.done', { number, count: credits })),
    onRefused: (error) => toast.error(errorText(error)),
  });
  return (
    <>
      <Button
        size={size}
        blocked={blocked}
        disabled={approval.isPending}
        aria-label={t('reject.of', { name, number })}
        onClick={() => setDeclining(true)}
      >
        {t('reject.action')}
      </Button>
      {/* A card payment approves its order itself. */}
      {method === 'transfer' && (
        <Button
          variant="soft"
          size={size}
          icon={<Check size={16} aria-hidden="true" />}
          blocked={blocked}
          pending={approval.isPending}
          aria-label={t('approve.of', { count: credits, name })}
          onClick={() => void approval.send({})}
        >
          {t('approve.action')}
        </Button>
      )}
      {isDeclining && <DeclineDialog topUp={topUp} onClose={() => setDeclining(false)} />}
    </>
  );
}

interface DialogProps extends TopUpProps {
  onClose: () => void;
}

function DeclineDialog({ topUp: { id, number, account_name }, onClose }: DialogProps) {
  const { t } = useTranslation('topUps');
  const form = useContractForm({ schema: rejectTopUp.body, defaultValues: { reason: '' } });
  const submission = useSubmit({
    form,
    send: useRejectTopUp(id).mutateAsync,
    onSuccess: () => {
      onClose();
      toast.success(t('reject.done', { number }));
    },
  });
  return (
    <FormDialog
      submission={submission}
      title={t('reject.title', { number })}
      submitLabel={t('reject.submit')}
      onClose={onClose}
    >
      <FormProblems form={form} />
      <TextInput
        control={form.control}
        name="reason"
        label={t('reject.reason')}
        hint={t('reject.hint', { name: isolate(account_name) })}
        autoFocus
        required
      />
    </FormDialog>
  );
}

function ResolveButton({ topUp }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const blocked = useNeedsConnection();
  const size = useButtonSize();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size={size}
        blocked={blocked}
        aria-label={t('resolve.title', { number: topUp.number })}
        onClick={() => setOpen(true)}
      >
        {t('resolve.action')}
      </Button>
      {isOpen && <ResolveDialog topUp={topUp} onClose={() => setOpen(false)} />}
    </>
  );
}

function ResolveDialog({ topUp: { id, number }, onClose }: DialogProps) {
  const { t } = useTranslation('topUps');
  const { t: common } = useTranslation();
  const form = useContractForm({ schema: resolveTopUp.body, defaultValues: { note: '' } });
  const submission = useSubmit({
    form,
    send: useResolveTopUp(id).mutateAsync,
    onSuccess: () => {
      onClose();
      toast.success(t('resolve.done', { number }));
    },
  });
  return (
    <FormDialog
      submission={submission}
      title={t('resolve.title', { number })}
      text={t('resolve.text')}
      submitLabel={t('resolve.action')}
      onClose={onClose}
    >
      <FormProblems form={form} />
      <TextInput
        control={form.control}
        name="note"
        label={common('field.note')}
        autoFocus
        required
      />
    </FormDialog>
  );
}

function ReceiptButton({ topUp }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  const label = t('receipt.of', { number: topUp.number });
  const open = () => setOpen(true);
  return (
    <>
      {isPhone ? (
        <Button aria-label={label} onClick={open}>
          {t('receipt.title')}
        </Button>
      ) : (
        <IconButton label={label} size="small" onClick={open}>
          <ReceiptText size={18} aria-hidden="true" />
        </IconButton>
      )}
      {isOpen && <ReceiptDialog topUp={topUp} onClose={() => setOpen(false)} />}
    </>
  );
}
