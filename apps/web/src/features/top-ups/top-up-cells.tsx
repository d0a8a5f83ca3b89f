import type { TopUp } from '@linekeeper/contract/top-ups.ts';
import { Check, Clock, CreditCard, LoaderCircle, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../shared/format-number.ts';
import { isolate } from '../../shared/i18n/isolate.ts';
import { useListSearch } from '../../shared/list/use-list.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Highlight } from '../../shared/ui/highlight.tsx';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import styles from './top-ups.module.css';
import { statusTones } from './top-ups-list.tsx';

interface TopUpProps {
  topUp: TopUp;
}

export function NumberAndTime({ topUp: { number, created_at } }: TopUpProps) {
  return (
    <span className={styles.pair}>
      <span>{number}</span>
      <small>
        <Timestamp value={created_at} />
      </small>
    </span>
  );
}

/** Who ordered, and the balance as it is now. */
export function Buyer({ topUp: { account_name, account_email, balance } }: TopUpProps) {
  const { t, i18n } = useTranslation('topUps');
  const q = useListSearch().search.q?.trim() ?? '';
  return (
    <span className={styles.pair} title={isolate(account_email)}>
      <span>
        <Highlight text={account_name} part={q} />
      </span>
      <small>{t('balance', { value: formatNumber(balance, i18n.language) })}</small>
    </span>
  );
}

/** How it is paid, and below it what was said of it. */
export function Method({ topUp }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const said = topUp.reason ?? topUp.note;
  return (
    <span className={styles.pair}>
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

/** What went back of a payment, and what an administrator has to look at. */
function Flags({ topUp: { returned_credits, owed_credits, problem } }: TopUpProps) {
  const { t } = useTranslation('topUps');
  return (
    <>
      {returned_credits > 0 && <small>{t('returned', { count: returned_credits })}</small>}
      {owed_credits > 0 && (
        <small className={styles.flag}>{t('owed', { count: owed_credits })}</small>
      )}
      {problem && <small className={styles.flag}>{t(`problems.${problem}`)}</small>}
    </>
  );
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
  const Icon = { pending: Clock, approved: Check, rejected: X }[status];
  return (
    <Badge tone={statusTones[status]} icon={<Icon />}>
      {t(`status.${status}`)}
    </Badge>
  );
}
