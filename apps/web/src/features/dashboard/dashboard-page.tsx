import { getDashboard } from '@linekeeper/contract/dashboard.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '#kit/page/page-header.tsx';
import { AddLink, ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Grid, Muted, Row, Stack } from '#kit/ui/vocabulary.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useDelayed } from '#platform/browser/use-delayed.ts';
import { useCan, useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { formatWeekday } from '#platform/format/format-moment.ts';
import { InTurn, useDrawnInSlices } from '#platform/start/later.tsx';
import { isSeller } from '#screens/places.ts';
import { AttentionCard } from './attention/attention-card.tsx';
import styles from './dashboard.module.css';
import { LowerCards, UpperCards } from './figure-cards.tsx';
import { FirstSteps } from './first-steps.tsx';
import { OnlineCards } from './online-cards.tsx';
import { ServersHealth } from './servers-health.tsx';
import { type Dashboard, Tiles } from './tiles.tsx';
import { Today } from './today/today.tsx';

export function DashboardPage() {
  const { t, i18n } = useTranslation('dashboard');
  const isOfSeller = isSeller(useMe());
  const seesLines = useCan(['view_users']);
  const today = useToday();
  return (
    <>
      <PageHeader
        {...(isOfSeller && {
          title: t('today.title'),
          badges: <Muted>{formatWeekday(today, i18n.language)}</Muted>,
        })}
        actions={
          seesLines && (
            <span className="only-wide">
              <AddLink to="/users/add">{t('addLine')}</AddLink>
            </span>
          )
        }
      />
      <WithDashboard>{(dashboard) => <Content dashboard={dashboard} />}</WithDashboard>
    </>
  );
}

/** Changes are told by live events, but the end of a day is not. */
const REFETCH_EVERY_MS = 10 * 60_000;

interface WithDashboardProps {
  children: (dashboard: Dashboard) => ReactNode;
}

/** The content for the dashboard's figures, once they are there. */
export function WithDashboard({ children }: WithDashboardProps) {
  const {
    data: fetched,
    error,
    refetch,
  } = useQuery(callQuery('dashboard', getDashboard, { refetchInterval: REFETCH_EVERY_MS }));
  const data = useDrawnInSlices(fetched);
  if (data) return children(data);
  if (!error) return <DashboardSkeleton />;
  return (
    <Card flush>
      <FailedPanel error={error} onRetry={() => void refetch()} />
    </Card>
  );
}

function Content({ dashboard }: { dashboard: Dashboard }) {
  const isOfSeller = isSeller(useMe());
  return (
    <Stack gap={24} phoneGap={16}>
      {isOfSeller && dashboard.steps.line ? (
        <Today dashboard={dashboard} />
      ) : (
        <>
          <AttentionCard />
          <FirstSteps steps={dashboard.steps} />
          <Tiles dashboard={dashboard} />
          <InTurn>
            {dashboard.lines === null && <WithoutLines />}
            <OnlineCards online={dashboard.online} />
            <UpperCards dashboard={dashboard} />
            <LowerCards dashboard={dashboard} />
            <ServersHealth />
          </InTurn>
        </>
      )}
    </Stack>
  );
}

/** How an account that may not see lines comes to sell some. */
function WithoutLines() {
  const { t } = useTranslation('dashboard');
  return (
    <div className="form-width">
      <Muted as="p">{t('noLines')}</Muted>
      <Row above={16} align="stretch" gap={8} wrap>
        <ButtonLink to="/payments/pricing" variant="solid">
          {t('topUp')}
        </ButtonLink>
        <ButtonLink to="/redeem-code">{t('redeem')}</ButtonLink>
        <ButtonLink to="/tickets/new">{t('getHelp')}</ButtonLink>
      </Row>
    </div>
  );
}

/** Only after a while: what comes soon is not announced by grey boxes, and nothing is moved by it. */
function DashboardSkeleton() {
  const { t } = useTranslation('dashboard');
  if (!useDelayed(true)) return null;
  return (
    <Stack gap={24} phoneGap={16} aria-busy="true">
      <p className="visually-hidden" role="status">
        {t('loading')}
      </p>
      <Grid columns="repeat(4, minmax(0, 1fr))" gap={24} phoneGap={8} className={styles.tiles}>
        {['a', 'b', 'c', 'd'].map((tile) => (
          <div key={tile} className={styles.skeleton} data-part="tile" />
        ))}
      </Grid>
      <div className={styles.pair}>
        <div className={styles.skeleton} />
        <div className={styles.skeleton} />
      </div>
    </Stack>
  );
}
