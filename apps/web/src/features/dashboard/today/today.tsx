import { SOON_DAYS } from '@linekeeper/contract/dashboard.ts';
import { daysBetween } from '@linekeeper/contract/dates.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Wallet } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { dueLinesQuery } from '#domain/lines/due-lines.ts';
import { useRenewalTerm } from '#domain/lines/renewal/term.ts';
import { isShort } from '#domain/prices/is-short.ts';
import { usePriceOf } from '#domain/prices/prices.ts';
import { AttentionCard } from '#features/dashboard/attention/attention-card.tsx';
import dashboardStyles from '#features/dashboard/dashboard.module.css';
import { SellerCards } from '#features/dashboard/figure-cards.tsx';
import { ActiveTile, type Dashboard, ExpiredTile, OnlineTile } from '#features/dashboard/tiles.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card, CardSummary } from '#kit/ui/card.tsx';
import { Muted, Stack, Text } from '#kit/ui/vocabulary.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { InTurn, prefetchOnceUsed } from '#platform/start/later.tsx';
import { DueCard } from './due-card.tsx';
import { UndoRenewal } from './due-row.tsx';
import { MyTicketsCard } from './my-tickets-card.tsx';
import styles from './today.module.css';
import { type DueLines, useDueLines } from './use-due-lines.ts';

/** A seller's home: what is to be renewed, and on a wide window what it comes to. */
export function Today({ dashboard }: { dashboard: Dashboard }) {
  const isPhone = useIsPhone();
  const today = useToday();
  const lines = useDueLines();
  useEffect(() => prefetchOnceUsed([UndoRenewal.fetch]), []);
  const { data } = useQuery(dueLinesQuery(useMe().id));
  const later = (data?.items ?? []).filter(
    ({ expiry_date }) => daysBetween(today, expiry_date) > SOON_DAYS,
  );
  return (
    <>
      <AttentionCard />
      <div className={styles.page}>
        <DueCard lines={lines} later={later} renewed={dashboard.renewed_today} />
        {!isPhone && <Side dashboard={dashboard} lines={lines} />}
      </div>
      {!isPhone && (
        <InTurn>
          <SellerCards dashboard={dashboard} withoutBalance />
        </InTurn>
      )}
    </>
  );
}

interface SideProps {
  dashboard: Dashboard;
  lines: DueLines;
}

function Side({ dashboard: { lines: figures, credits, online }, lines }: SideProps) {
  const { t, i18n } = useTranslation('dashboard');
  const me = useMe();
  const { term } = useRenewalTerm();
  const price = usePriceOf()(term);
  const open = [...lines.today, ...lines.week].filter(({ renewed }) => !renewed).length;
  const need = price === undefined ? 0 : open * price;
  return (
    <Stack gap={24}>
      {figures && (
        <div className={styles.figures}>
          {online && <OnlineTile online={online} />}
          <ActiveTile lines={figures} />
          <ExpiredTile lines={figures} />
        </div>
      )}
      <Card
        title={
          <>
            {t('balance.title')}
            <CardSummary>{t('today.sold', { count: credits.spent })}</CardSummary>
          </>
        }
        action={
          <Link to="/credits" search={{ account: me.id }} className={dashboardStyles.link}>
            {t('today.ledger')}
          </Link>
        }
      >
        <p className={styles.balance}>{formatNumber(me.credits, i18n.language)}</p>
        {need > 0 && (
          <Text as="p" above={4}>
            <Muted>
              {t(isShort({ cost: need, balance: me.credits }) ? 'today.short' : 'today.enough', {
                price: t('credits.amount', { count: need }),
              })}
            </Muted>
          </Text>
        )}
        <Text as="div" above={16}>
          <ButtonLink to="/payments/pricing" fullWidth icon={<Wallet />}>
            {t('topUp')}
          </ButtonLink>
        </Text>
      </Card>
      <MyTicketsCard />
    </Stack>
  );
}
