import { useMe } from '../../shared/session.ts';
import { BalanceCard, SoldCard } from './credit-cards.tsx';
import styles from './dashboard.module.css';
import { ExpiriesCard } from './expiries-card.tsx';
import { RenewNextCard } from './renew-next-card.tsx';
import { SellersCard } from './sellers-card.tsx';
import type { Dashboard } from './tiles.tsx';

/** What is ahead and what was sold, once there is something to draw. */
export function FigureCards({ dashboard }: { dashboard: Dashboard }) {
  const { is_admin } = useMe();
  const { lines, credits, sellers, steps } = dashboard;
  const hasMoved = credits.days.some(({ spent, balance }) => spent > 0 || balance !== 0);
  if (!lines) return hasMoved && <BalanceCard credits={credits} />;
  if (!steps.line) return null;
  const expiries = <ExpiriesCard expiries={lines.expiries} />;
  const best = sellers && sellers.length > 0 && <SellersCard sellers={sellers} credits={credits} />;
  return (
    <>
      <div className={styles.pair}>
        {is_admin ? expiries : <RenewNextCard expiring={lines.expiring} />}
        {is_admin ? <SoldCard credits={credits} /> : <BalanceCard credits={credits} />}
      </div>
      <div className={best ? styles.pair : undefined}>
        {is_admin ? <RenewNextCard expiring={lines.expiring} /> : expiries}
        {best}
      </div>
    </>
  );
}
