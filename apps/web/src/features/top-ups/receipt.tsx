import type { TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { useQuery } from '@tanstack/react-query';
import { Copy, Printer, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Drawer } from '#kit/overlays/late-overlays.ts';
import { Print, PrintSheet } from '#kit/printing/print.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { useCopy } from '#kit/ui/buttons/use-copy-text.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { publicSettingsQuery } from '#platform/data/settings.ts';
import { formatPrice } from '#platform/format/format-price.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { StatusBadge, useSurplusTexts } from './top-up-cells.tsx';

interface ReceiptProps {
  topUp: TopUp;
}

/** The receipt of a top-up beside the list, for reading and printing; on a phone as a sheet from the bottom. */
export function ReceiptDrawer({ topUp, onClose }: ReceiptProps & { onClose: () => void }) {
  const { t } = useTranslation('topUps');
  const id = useId();
  const isPhone = useIsPhone();
  const [isPrinting, setPrinting] = useState(false);
  const { isCopied, copy } = useCopy(async () => topUp.number);
  return (
    <Drawer
      open
      side={isPhone ? 'bottom' : 'right'}
      onClose={onClose}
      aria-labelledby={`${id}-title`}
      className="w-94 p-6 phone:w-auto phone:p-4"
    >
      <div className="flex items-center gap-3 [&_h2]:flex-1">
        <h2 id={`${id}-title`}>{t('receipt.title')}</h2>
        <StatusBadge topUp={topUp} />
        <IconButton label={t('action.close')} autoFocus onClick={onClose}>
          <X size={20} />
        </IconButton>
      </div>
      <Receipt topUp={topUp} />
      <div className="flex flex-wrap items-stretch gap-2 mt-6 [&>button]:flex-1">
        <Button icon={<Printer />} onClick={() => setPrinting(true)}>
          {t('action.print')}
        </Button>
        <Button icon={<Copy />} onClick={copy}>
          {isCopied ? t('copy.done') : t('receipt.copyNumber')}
        </Button>
      </div>
      <PrintedReceipt topUp={topUp} />
      {isPrinting && <Print onDone={() => setPrinting(false)} />}
    </Drawer>
  );
}

function Receipt({ topUp }: ReceiptProps) {
  const { t, i18n } = useTranslation('topUps');
  const { credits, balance_after, returned_credits, problem } = topUp;
  const surplus = useSurplusTexts(topUp);
  const number = (value: number) => formatNumber(value, i18n.language);
  return (
    <div className="mt-4 [&_dl]:pt-4 [&_dl]:[border-top:1px_dashed_var(--color-divider-strong)] [&_dd]:text-end">
      <p className="text-text-2 [&_b]:text-text [&_b]:type-number [&_b]:tracking-[-0.02em]">
        <b>+{number(credits)}</b> {t('credits.unit', { count: credits })}
      </p>
      <p className="text-text-2 type-caption [dl+&]:mt-4">
        {topUp.number} · <Timestamp value={topUp.decided_at ?? topUp.created_at} />
      </p>
      <dl className="grid grid-cols-1 gap-2 mt-4">
        <Fact name={t('field.package')}>
          <TypedText>{topUp.package_name}</TypedText>
        </Fact>
        <Fact name={t('field.price')}>
          {formatPrice(topUp.price_minor, topUp.currency, i18n.language)}
        </Fact>
        <Fact name={t('field.method')}>{t(`methods.${topUp.method}`)}</Fact>
        <Fact name={t('receipt.ordered')}>
          <Timestamp value={topUp.created_at} />
        </Fact>
        <Fact name={t('status.approved')}>{useApprover(topUp)}</Fact>
        <Fact name={t('field.account')}>
          <TypedText>{topUp.account_name}</TypedText>
        </Fact>
        <Fact name={t('field.email')}>
          <TypedText>{topUp.account_email}</TypedText>
        </Fact>
      </dl>
      {balance_after !== null && (
        <dl className="grid grid-cols-1 gap-2 mt-4 [&>:nth-last-child(2)_dd]:text-success-fg [&>:last-child]:font-bold [&>:last-child]:[&_dt]:text-inherit">
          <Fact name={t('field.balanceBefore')}>{number(balance_after - credits)}</Fact>
          <Fact name={t('receipt.added')}>+{number(credits)}</Fact>
          <Fact name={t('field.balanceAfter')}>
            {t('credits.amount', { count: balance_after })}
          </Fact>
        </dl>
      )}
      {returned_credits > 0 && (
        <p className="text-text-2 type-caption [dl+&]:mt-4">
          {t('returned', { credits: t('credits.amount', { count: returned_credits }) })}
        </p>
      )}
      {problem && <p className="mt-4 text-danger type-caption">{t(`problems.${problem}`)}</p>}
      {surplus.map(({ id, text }) => (
        <p key={id} className="text-text-2 type-caption [dl+&]:mt-4">
          {text}
        </p>
      ))}
    </div>
  );
}

function useApprover({ is_paid_by_card, decided_by_name }: TopUp): ReactNode {
  const { t } = useTranslation('topUps');
  if (decided_by_name) return <TypedText>{decided_by_name}</TypedText>;
  return t(is_paid_by_card ? 'receipt.byCard' : 'receipt.byHand');
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-stretch justify-between gap-4">
      <dt className="flex-none">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The receipt for printing, visible on paper only, with the present name of the site. */
function PrintedReceipt({ topUp }: ReceiptProps) {
  const { t } = useTranslation('topUps');
  const { data: settings } = useQuery(publicSettingsQuery());
  return (
    <PrintSheet>
      <article className="print:max-w-[120mm] print:[&_h1]:type-[700_18pt/24pt_var(--font)] print:[&_h2]:mt-[4mm] print:[&_h2]:type-[600_13pt/18pt_var(--font)]">
        <h1>
          <TypedText>{settings?.site_name ?? ''}</TypedText>
        </h1>
        <h2>{t('receipt.of', { number: topUp.number })}</h2>
        <Receipt topUp={topUp} />
        {settings?.legal_notice && (
          <footer className="print:mt-[8mm] print:type-[9pt/12pt_var(--font)] print:wrap-anywhere print:whitespace-pre-line">
            <TypedText>{settings.legal_notice}</TypedText>
          </footer>
        )}
      </article>
    </PrintSheet>
  );
}
