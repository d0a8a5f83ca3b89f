import type { TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DialogText, InfoDialog } from '#kit/overlays/dialogs/dialog-parts.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { CopyButton } from '#kit/ui/buttons/copy-button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatPrice } from '#platform/format/format-price.ts';
import { packagesQuery } from './queries.ts';

/** The look of details of the transfer that can be copied. */
const COPIED =
  'flex items-center justify-between gap-2 pt-3 pr-3 pb-3 pl-4 rounded-control bg-head [&_b]:type-[700_20px/28px_var(--font)] [&_bdi]:wrap-anywhere [&_bdi]:whitespace-pre-line';

interface TransferDialogProps {
  topUp: TopUp;
  /** True if the dialog was opened in the list, so that it needs no link to it. */
  isInList?: boolean;
  onClose: () => void;
}

/** The dialog with amount, reference and bank details for an order that is paid by bank transfer. */
export function TransferDialog({ topUp, isInList = false, onClose }: TransferDialogProps) {
  const { t, i18n } = useTranslation('topUps');
  const navigate = useNavigate();
  const { data } = useQuery(packagesQuery());
  const { number, price_minor, currency } = topUp;
  return (
    <InfoDialog
      title={t('ordered.title', { number })}
      onClose={onClose}
      actions={
        !isInList && (
          <Button variant="solid" onClick={() => void navigate({ to: '/payments/top-ups' })}>
            {t('ordered.list')}
          </Button>
        )
      }
    >
      <DialogText>
        {t('ordered.text', { price: formatPrice(price_minor, currency, i18n.language) })}
      </DialogText>
      <p className={COPIED}>
        <b>{number}</b>
        <CopyButton value={number} label={t('receipt.copyNumber')} size="small" />
      </p>
      {data?.bank_details && (
        <>
          <h3 className="mt-4 mx-0 mb-2">{t('bankDetails')}</h3>
          <p className={COPIED}>
            <TypedText>{data.bank_details}</TypedText>
            <CopyButton
              value={data.bank_details}
              label={t('receipt.copyBankDetails')}
              size="small"
            />
          </p>
        </>
      )}
    </InfoDialog>
  );
}
