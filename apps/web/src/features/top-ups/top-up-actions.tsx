import { checkOutTopUp, type TopUp, withdrawTopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { useQuery } from '@tanstack/react-query';
import { Landmark, ReceiptText, Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../shared/browser/use-is-phone.ts';
import { useCommand } from '../../shared/commands/use-command.ts';
import { toast } from '../../shared/state/toast.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { IconButton } from '../../shared/ui/buttons/icon-button.tsx';
import { confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { Row } from '../../shared/ui/vocabulary.tsx';
import { checkingOut, packagesQuery } from './queries.ts';
import { ReceiptDrawer } from './receipt.tsx';
import { TransferDialog } from './transfer-dialog.tsx';

interface TopUpProps {
  topUp: TopUp;
}

/** True while it can be paid; not where another amount was paid, which somebody has to look at first. */
export function isPayable({ status, is_processing, problem }: TopUp): boolean {
  return status === 'pending' && !is_processing && problem === null;
}

/** Actions on an own top-up: pay it, open the receipt. */
export function TopUpActions({ row: topUp }: { row: TopUp }) {
  const isPhone = useIsPhone();
  const actions = (
    <>
      {isPayable(topUp) && topUp.method === 'transfer' && <TransferButton topUp={topUp} />}
      {isPayable(topUp) && <PayButton topUp={topUp} />}
      {isPayable(topUp) && <WithdrawButton topUp={topUp} />}
      {topUp.status === 'approved' && <ReceiptButton topUp={topUp} />}
    </>
  );
  // A card draws nothing around actions that are none.
  return isPhone ? (
    actions
  ) : (
    <Row as="span" gap={8} justify="end">
      {actions}
    </Row>
  );
}

function useButtonSize() {
  return useIsPhone() ? 'medium' : 'small';
}

export function PayButton({ topUp: { id, number, method } }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const blocked = useNeedsConnection();
  const size = useButtonSize();
  const checkOut = useCommand(checkOutTopUp, { ...checkingOut, params: { id } });
  const { data } = useQuery(packagesQuery());
  if (!data?.card_payments) return null;
  const text = t(method === 'card' ? 'pay.now' : 'pay.byCard');
  return (
    <Button
      variant="soft"
      size={size}
      pending={checkOut.isPending || checkOut.isDone}
      blocked={blocked}
      aria-label={t('pay.of', { action: text, number })}
      onClick={() => void checkOut.send()}
    >
      {text}
    </Button>
  );
}

interface QuietActProps {
  text: string;
  number: string;
  icon: ReactNode;
  blocked?: string | undefined;
  onClick: () => void;
}

/** An icon in a row, which has no room for words; on a phone words. */
function QuietAct({ text, number, icon, ...act }: QuietActProps) {
  const { t } = useTranslation('topUps');
  const label = t('pay.of', { action: text, number });
  return useIsPhone() ? (
    <Button variant="text" aria-label={label} {...act}>
      {text}
    </Button>
  ) : (
    <IconButton size="small" label={label} {...act}>
      {icon}
    </IconButton>
  );
}

/** Where to transfer the money, as it was said right after the order. */
function TransferButton({ topUp }: TopUpProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(packagesQuery());
  if (!data?.bank_details) return null;
  return (
    <>
      <QuietAct
        text={t('bankDetails')}
        number={topUp.number}
        icon={<Landmark size={18} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      />
      {isOpen && <TransferDialog topUp={topUp} isInList onClose={() => setOpen(false)} />}
    </>
  );
}

function WithdrawButton({ topUp: { id, number } }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const blocked = useNeedsConnection();
  const withdrawal = useCommand(withdrawTopUp, {
    params: { id },
    refreshes: ['top-ups'],
    done: () => toast.success(t('withdraw.done', { number })),
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
    <QuietAct
      text={t('withdraw.action')}
      number={number}
      icon={<Undo2 size={18} aria-hidden="true" />}
      blocked={blocked}
      onClick={() => void withdraw()}
    />
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
      {isOpen && <ReceiptDrawer topUp={topUp} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Opens the receipt of an order; a button with words at any width. */
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
