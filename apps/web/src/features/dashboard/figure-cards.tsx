import { useMe } from '../../shared/data/session.ts';
import { InTurn } from '../../shared/start/later.tsx';
import { BalanceCard, SoldCard } from './credit-cards.tsx';
import styles from './dashboard.module.css';
import { ExpiriesCard } from './expiries-card.tsx';
import { RenewNextCard } from './renew-next-card.tsx';
import { SellersCard } from './sellers-card.tsx';
import type { Dashboard } from './tiles.tsx';

interface CardsProps {
  dashboard: Dashboard;
}

/** What was sold and what is ahead, once there is something to draw. */
export function UpperCards({ dashboard: { lines, credits, steps } }: CardsProps) {
  const { is_admin } = useMe();
  const hasMoved = credits.days.some(({ spent, balance }) => spent > 0 || balance !== 0);
  if (!lines) return hasMoved && <BalanceCard credits={credits} />;
  if (!steps.line) return null;
  return (
    <div className={styles.pair}>
      <InTurn>
        {is_admin ? (
          <ExpiriesCard expiries={lines.expiries} />
        ) : (
          <RenewNextCard expiring={lines.expiring} />
        )}
        {is_admin ? <SoldCard credits={credits} /> : <BalanceCard credits={credits} />}
      </InTurn>
    </div>
  );
}

/** The rest of it, below. */
export function LowerCards({ dashboard: { lines, credits, sellers, steps } }: CardsProps) {
  const { is_admin } = useMe();
  if (!lines || !steps.line) return null;
  const best = sellers && sellers.length > 0 && <SellersCard sellers={sellers} credits={credits} />;
  return (
    <div className={best ? styles.pair : undefined}>
      <InTurn>
        {is_admin ? (
          <RenewNextCard expiring={lines.expiring} />
        ) : (
          <ExpiriesCard expiries={lines.expiries} />
        )}
        {best}
      </InTurn>
    </div>
  );
}
