import { checkOutTopUp, type TopUp, withdrawTopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { useQuery } from '@tanstack/react-query';
import { Landmark, ReceiptText, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { QuietAction, RowActions, useRowButtonSize } from '#kit/list/row-actions.tsx';
import { confirm } from '#kit/overlays/dialogs/confirm.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { checkingOut, packagesQuery } from './queries.ts';
import { ReceiptDrawer } from './receipt.tsx';
import { TransferDialog } from './transfer-dialog.tsx';

interface TopUpProps {
  topUp: TopUp;
}

/**
 * True while a top-up can be paid. False after a different amount was paid, which an administrator has to check first.
 */
export function isPayable({ status, is_processing, problem }: TopUp): boolean {
  return status === 'pending' && !is_processing && problem === null;
}

export function TopUpActions({ row: topUp }: { row: TopUp }) {
  return (
    <RowActions>
      {isPayable(topUp) && topUp.method === 'transfer' && <TransferButton topUp={topUp} />}
      {isPayable(topUp) && <PayButton topUp={topUp} />}
      {isPayable(topUp) && <WithdrawButton topUp={topUp} />}
      {topUp.status === 'approved' && <ReceiptButton topUp={topUp} />}
    </RowActions>
  );
}

export function PayButton({ topUp: { id, number, method } }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const size = useRowButtonSize();
  const checkOut = useCommand(checkOutTopUp, { ...checkingOut, params: { id } });
  const { data } = useQuery(packagesQuery());
  if (!data?.card_payments) return null;
  const text = t(method === 'card' ? 'pay.now' : 'pay.byCard');
  return (
    <Button
      variant="soft"
      size={size}
      pending={checkOut.isPending || checkOut.isDone}
      aria-label={`${text}: ${number}`}
      onClick={() => void checkOut.send()}
    >
      {text}
    </Button>
  );
}

/** The button that shows where to transfer the money, as the dialog did after the order. */
function TransferButton({ topUp }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(packagesQuery());
  const text = t('bankDetails');
  if (!data?.bank_details) return null;
  return (
    <>
      <QuietAction
        label={`${text}: ${topUp.number}`}
        text={text}
        icon={Landmark}
        variant="text"
        onClick={() => setOpen(true)}
      />
      {isOpen && <TransferDialog topUp={topUp} isInList onClose={() => setOpen(false)} />}
    </>
  );
}

function WithdrawButton({ topUp: { id, number } }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const withdrawal = useCommand(withdrawTopUp, {
    params: { id },
    refreshes: ['top-ups'],
    doneText: () => t('withdraw.done', { number }),
  });
  const withdraw = async () => {
    const isSure = await confirm({
      title: t('withdraw.title', { number }),
      text: t('withdraw.text'),
      confirmLabel: t('withdraw.action'),
    });
    if (isSure) await withdrawal.send();
  };
  return (
    <QuietAction
      label={`${t('withdraw.action')}: ${number}`}
      text={t('withdraw.action')}
      icon={Undo2}
      variant="text"
      onClick={() => void withdraw()}
    />
  );
}

function ReceiptButton({ topUp }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <QuietAction
        label={t('receipt.of', { number: topUp.number })}
        text={t('receipt.title')}
        icon={ReceiptText}
        onClick={() => setOpen(true)}
      />
      {isOpen && <ReceiptDrawer topUp={topUp} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The link to the receipt of an order; a button with a text at any width. */
export function ReceiptLink({ topUp }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="text"
        aria-label={t('receipt.of', { number: topUp.number })}
        onClick={() => setOpen(true)}
      >
        {t('receipt.title')}
      </Button>
      {isOpen && <ReceiptDrawer topUp={topUp} onClose={() => setOpen(false)} />}
    </>
  );
}
