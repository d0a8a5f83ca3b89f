import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { quoteLine } from '@linekeeper/contract/lines/lines.ts';
import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { SummaryRows } from '#kit/ui/summary-rows.tsx';
import { useMe } from '#platform/data/session.ts';
import { isShort } from './is-short.ts';

/** The panel's quote: cost, balance and expiry date; null for any that are not known yet. */
export interface Quote extends Pick<Reply<typeof quoteLine>, 'cost' | 'balance' | 'expiry_date'> {
  balance_after: number | null;
}

/** The new expiry date, the cost and the balance of a quote. Renders nothing for null. */
export function QuoteSummary({ quote }: { quote: Quote | null }) {
  const { t } = useTranslation();
  const { is_admin } = useMe();
  const expiry = {
    label: t('field.newExpiry'),
    value: quote ? formatDay(quote.expiry_date) : '–',
  };
  if (is_admin || !quote) {
    const free = { label: t('field.cost'), value: t('quote.free') };
    return <SummaryRows look="plain" rows={is_admin ? [expiry, free] : [expiry]} />;
  }
  const after = {
    label: t('field.balanceAfter'),
    tone: isShort(quote) ? ('danger' as const) : undefined,
    value: (
      <>
        <span>{t('number', { value: quote.balance })}</span> <ArrowRight size={14} />
        {quote.balance_after === null ? '–' : t('credits.amount', { count: quote.balance_after })}
      </>
    ),
  };
  return <SummaryRows look="plain" rows={[expiry, after]} />;
}
