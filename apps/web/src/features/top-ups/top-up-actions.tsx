import type { TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { useQuery } from '@tanstack/react-query';
import { ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { IconButton } from '../../shared/ui/buttons/icon-button.tsx';
import { toast } from '../../shared/ui/toasts/toast.ts';
import { useIsPhone } from '../../shared/ui/use-is-phone.ts';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { packagesQuery, useCheckOut } from './queries.ts';
import { ReceiptDrawer } from './receipt.tsx';
import styles from './top-ups.module.css';
import { TransferDialog } from './transfer-dialog.tsx';

interface TopUpProps {
  topUp: TopUp;
}

/** True while it can be paid; not where another amount was paid, which somebody has to look at first. */
export function isPayable({ status, is_processing, problem }: TopUp): boolean {
  return status === 'pending' && !is_processing && problem === null;
}

/** Actions on an own top-up: pay it, open the receipt. */
export function TopUpActions({ topUp }: TopUpProps) {
  const isPhone = useIsPhone();
  const actions = (
    <>
      {isPayable(topUp) && topUp.method === 'transfer' && <TransferButton topUp={topUp} />}
      {isPayable(topUp) && <PayButton topUp={topUp} />}
      {topUp.status === 'approved' && <ReceiptButton topUp={topUp} />}
    </>
  );
  // A card draws nothing around actions that are none.
  return isPhone ? actions : <span className={styles.actions}>{actions}</span>;
}

function useButtonSize() {
  return useIsPhone() ? 'medium' : 'small';
}

export function PayButton({ topUp: { id, number, method } }: TopUpProps) {
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

/** Where to transfer the money, as it was said right after the order. */
function TransferButton({ topUp }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const { t: common } = useTranslation();
  const size = useButtonSize();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(packagesQuery());
  if (!data?.bank_details) return null;
  const text = common('bankDetails');
  return (
    <>
      <Button
        variant="text"
        size={size}
        aria-label={t('pay.of', { action: text, number: topUp.number })}
        onClick={() => setOpen(true)}
      >
        {text}
      </Button>
      {isOpen && <TransferDialog topUp={topUp} isInList onClose={() => setOpen(false)} />}
    </>
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

/** Likewise, in words at any width. */
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
