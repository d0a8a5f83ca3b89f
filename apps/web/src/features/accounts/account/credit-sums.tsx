import type {
  Account,
  AccountFigures,
  TransferKind,
} from '@linekeeper/contract/accounts/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../shared/i18n/format-number.ts';
import { accountFiguresQuery } from '../queries.ts';
import styles from './account.module.css';

type ByKind = AccountFigures['by_kind'];

/** The sums that make up the balance; those that are 0 are left out. */
const sums = {
  received: { kinds: ['mint', 'transfer', 'take_back'], side: 'credits_in' },
  topUps: { kinds: ['topup'], side: 'credits_in' },
  codes: { kinds: ['redeem'], side: 'credits_in' },
  refunds: { kinds: ['refund'], side: 'credits_in' },
  correctedUp: { kinds: ['adjustment'], side: 'credits_in' },
  lines: { kinds: ['sale', 'renewal'], side: 'credits_out' },
  passedOn: { kinds: ['transfer'], side: 'credits_out' },
  takenBack: { kinds: ['take_back', 'topup'], side: 'credits_out' },
  correctedDown: { kinds: ['adjustment'], side: 'credits_out' },
} as const satisfies Record<
  string,
  { kinds: readonly TransferKind[]; side: 'credits_in' | 'credits_out' }
>;
type Sum = keyof typeof sums;

function sumOf(byKind: ByKind, sum: Sum): number {
  const { kinds, side } = sums[sum];
  const meant = byKind.filter(({ kind }) => (kinds as readonly TransferKind[]).includes(kind));
  return meant.reduce((all, row) => all + row[side], 0);
}

/** How the account came by its balance. That of an administrator is not counted. */
export function CreditSums({ account }: { account: Account }) {
  const { t, i18n } = useTranslation('account');
  const { data: figures } = useQuery(accountFiguresQuery(account.id));
  if (account.is_admin || !figures?.by_kind.length) return null;
  const shown = (Object.keys(sums) as Sum[])
    .map((sum) => ({ sum, amount: sumOf(figures.by_kind, sum) }))
    .filter(({ amount }) => amount > 0);
  return (
    <dl className={styles.sums}>
      {shown.map(({ sum, amount }) => (
        <div key={sum} data-side={sums[sum].side}>
          <dt>{t(`sums.${sum}`)}</dt>
          <dd>
            <span>{sums[sum].side === 'credits_in' ? '+' : '−'}</span>
            {formatNumber(amount, i18n.language)}
          </dd>
        </div>
      ))}
      <div className={styles.now}>
        <dt>{t('sums.now')}</dt>
        <dd>{t('credits.amount', { count: account.credits })}</dd>
      </div>
    </dl>
  );
}
