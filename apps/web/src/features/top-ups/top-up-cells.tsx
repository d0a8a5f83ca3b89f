import type { TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { Check, Clock, CreditCard, LoaderCircle, Undo2, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '#kit/ui/badge.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatPrice } from '#platform/format/format-price.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { statusTones } from './top-ups-list.ts';

interface TopUpProps {
  topUp: TopUp;
}

const TWO_LINES =
  'grid min-w-0 *:overflow-hidden *:text-ellipsis *:whitespace-nowrap phone:*:whitespace-normal phone:*:wrap-anywhere';

export function NumberAndTime({ topUp: { number, created_at } }: TopUpProps) {
  return (
    <span className={TWO_LINES}>
      <span>{number}</span>
      <small>
        <Timestamp value={created_at} />
      </small>
    </span>
  );
}

export function CreditsAdded({ topUp: { credits } }: TopUpProps) {
  return `+${formatNumber(credits, useTranslation().i18n.language)}`;
}

export function Price({ topUp: { price_minor, currency } }: TopUpProps) {
  return formatPrice(price_minor, currency, useTranslation().i18n.language);
}

/** The payment method of a top-up and, below it, the reason for its refusal or otherwise the buyer's note. */
export function Method({ topUp }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const said = topUp.reason ?? topUp.note;
  return (
    <span className={TWO_LINES}>
      <span>{t(`methods.${topUp.method}`)}</span>
      {said && (
        <small title={isolate(said)}>
          <TypedText>{said}</TypedText>
        </small>
      )}
      <Flags topUp={topUp} />
    </span>
  );
}

/** Marks of a top-up: refunded, disputed, or to be looked at by an administrator. */
export function Flags({ topUp }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const { returned_credits, owed_credits, problem } = topUp;
  const surplus = useSurplusTexts(topUp);
  return (
    <>
      {returned_credits > 0 && (
        <small>
          {t('returned', { credits: t('credits.amount', { count: returned_credits }) })}
        </small>
      )}
      {owed_credits > 0 && (
        <small className="text-danger">
          {t('owed', { credits: t('credits.amount', { count: owed_credits }) })}
        </small>
      )}
      {problem && <small className="text-danger">{t(`problems.${problem}`)}</small>}
      {surplus.map(({ id, text }) => (
        <small key={id}>{text}</small>
      ))}
    </>
  );
}

/** Texts on surplus payments: paid without credits, and refunded. */
export function useSurplusTexts({ surplus }: TopUp): { id: string; text: string }[] {
  const { t, i18n } = useTranslation('topUps');
  return surplus.map(({ paid_minor, currency, returned_minor }, index) => {
    const price = (minor: number) => formatPrice(minor, currency ?? 'EUR', i18n.language);
    const paid = price(paid_minor ?? 0);
    const state =
      returned_minor === 0 ? 'open' : returned_minor < (paid_minor ?? 0) ? 'partly' : 'returned';
    const text = t(`surplus.${state}`, { paid, returned: price(returned_minor) });
    return { id: `${index}`, text };
  });
}

export function StatusBadge({ topUp: { status, method, is_processing } }: TopUpProps) {
  const { t } = useTranslation('topUps');
  if (is_processing) {
    return (
      <Badge tone="info" icon={<LoaderCircle />}>
        {t('processing')}
      </Badge>
    );
  }
  if (status === 'pending' && method === 'card') {
    return (
      <Badge tone="info" icon={<CreditCard />}>
        {t('notPaid')}
      </Badge>
    );
  }
  const Icon = { pending: Clock, approved: Check, rejected: X, withdrawn: Undo2 }[status];
  return (
    <Badge tone={statusTones[status]} icon={<Icon />}>
      {t(`status.${status}`)}
    </Badge>
  );
}
