import type { CreditFigures, Seller } from '@linekeeper/contract/dashboard.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../shared/i18n/format-number.ts';
import { ShownOrTableCard } from '../../shared/ui/charts/chart-card.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import styles from './dashboard.module.css';

interface SellersProps {
  sellers: readonly Seller[];
  credits: CreditFigures;
}

/** Who spent most on lines. Each leads to the sales and renewals that it is the sum of. */
export function SellersCard({ sellers, credits: { days } }: SellersProps) {
  const { t, i18n } = useTranslation('dashboard');
  const most = Math.max(...sellers.map(({ spent }) => spent));
  const [from, to] = [days[0]?.day, days.at(-1)?.day];
  const sales = (account: string) =>
    ({ to: '/credits', search: { kind: 'sale,renewal', account, from, to } }) as const;
  const rows = sellers.map(({ account_id, name, spent }) => ({
    key: account_id,
    link: (
      <Link {...sales(account_id)} className={styles.name}>
        <TypedText>{name}</TypedText>
      </Link>
    ),
    amount: formatNumber(spent, i18n.language),
    width: `${(spent / most) * 100}%`,
  }));
  return (
    <ShownOrTableCard
      title={t('sellers.title')}
      summary={t('sellers.summary')}
      table={() => ({
        columns: [t('sellers.account'), t('credits')],
        rows: rows.map(({ key, link, amount }) => ({ key, cells: [link, amount] })),
      })}
    >
      <ul className={styles.sellers} data-print="drawn">
        {rows.map(({ key, link, amount, width }) => (
          <li key={key}>
            {link}
            <strong>{amount}</strong>
            <span className={styles.bar}>
              <i style={{ width }} />
            </span>
          </li>
        ))}
      </ul>
    </ShownOrTableCard>
  );
}
