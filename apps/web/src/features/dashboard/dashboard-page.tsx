import { getDashboard, type LineFigures, SOON_DAYS } from '@linekeeper/contract/dashboard.ts';
import { daysBetween } from '@linekeeper/contract/dates.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { dueLinesQuery } from '#domain/lines/due-lines.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { AddLink, ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { FailedCard } from '#kit/ui/states/failed-panel.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useDelayed } from '#platform/browser/use-delayed.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useCan, useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { formatWeekday } from '#platform/format/format-moment.ts';
import { prefetchOnceUsed } from '#platform/start/later.ts';
import { isSeller } from '#screens/places.ts';
import { AttentionCard } from './attention/attention-card.tsx';
import { OwesCard } from './book/owes-card.tsx';
import { LowerCards, UpperCards } from './figure-cards.tsx';
import { FirstSteps } from './first-steps.tsx';
import { OnlineCards } from './online-cards.tsx';
import { ServersHealth } from './servers-health.tsx';
import { ActiveTile, type Dashboard, ExpiredTile, OnlineTile, Tiles } from './tiles.tsx';
import { AskedCard } from './today/asked-card.tsx';
import { DueCard } from './today/due-card.tsx';
import { UndoRenewal } from './today/due-row.tsx';
import { useDueLines } from './today/use-due-lines.ts';

export function DashboardPage() {
  const { t, i18n } = useTranslation('dashboard');
  const isOfSeller = isSeller(useMe());
  const seesLines = useCan(['view_users']);
  const today = useToday();
  return (
    <>
      <PageHeader
        {...(isOfSeller && {
          title: t('nav.today'),
          badges: <span className="text-text-2">{formatWeekday(today, i18n.language)}</span>,
        })}
        actions={
          seesLines && (
            <span className="only-wide">
              <AddLink to="/users/add">{t('nav.addLine')}</AddLink>
            </span>
          )
        }
      />
      <WithDashboard>{(dashboard) => <Content dashboard={dashboard} />}</WithDashboard>
    </>
  );
}

/** Milliseconds between refetches, because the end of a day causes no live event. */
const REFETCH_EVERY_MS = 10 * 60_000;

interface WithDashboardProps {
  children: (dashboard: Dashboard) => ReactNode;
}

/**
 * Fetches the dashboard's figures for `children`, with a placeholder while they load and a button to retry if they
 * cannot be loaded.
 */
export function WithDashboard({ children }: WithDashboardProps) {
  const { data, error, refetch } = useQuery(
    callQuery('dashboard', getDashboard, { refetchInterval: REFETCH_EVERY_MS }),
  );
  if (data) return children(data);
  if (!error) return <DashboardSkeleton />;
  return <FailedCard flush error={error} onRetry={() => void refetch()} />;
}

function Content({ dashboard }: { dashboard: Dashboard }) {
  const isOfSeller = isSeller(useMe());
  return (
    <div className="grid grid-cols-1 gap-6 phone:gap-4">
      {isOfSeller && dashboard.steps.line ? (
        <Today dashboard={dashboard} />
      ) : (
        <>
          <AttentionCard />
          <AskedCard />
          <FirstSteps steps={dashboard.steps} />
          <Tiles dashboard={dashboard} />
          {dashboard.lines === null && <WithoutLines />}
          <OnlineCards online={dashboard.online} />
          <UpperCards dashboard={dashboard} />
          <LowerCards dashboard={dashboard} />
          <ServersHealth />
        </>
      )}
    </div>
  );
}

/** The hint for an account that may not see lines yet, about how to become a seller. */
function WithoutLines() {
  const { t } = useTranslation('dashboard');
  return (
    <div className="form-width">
      <p className="text-text-2">{t('noLines')}</p>
      <div className="flex flex-wrap items-stretch gap-2 mt-4">
        <ButtonLink to="/payments/pricing" variant="solid">
          {t('nav.topUpCredits')}
        </ButtonLink>
        <ButtonLink to="/redeem-code">{t('nav.redeemCode')}</ButtonLink>
        <ButtonLink to="/tickets/new">{t('getHelp')}</ButtonLink>
      </div>
    </div>
  );
}

/** The skeleton appears only after a while, so that a quick reply shows no grey boxes, and nothing moves. */
function DashboardSkeleton() {
  const { t } = useTranslation('dashboard');
  if (!useDelayed(true)) return null;
  return (
    <div className="grid grid-cols-1 gap-6 phone:gap-4" aria-busy="true">
      <p className="visually-hidden" role="status">
        {t('loading')}
      </p>
      <div className="grid grid-cols-4 gap-6 phone:gap-2 small-tablet:grid-cols-2 small-tablet:[&>:first-child:nth-last-child(odd)]:col-span-full">
        {['a', 'b', 'c', 'd'].map((tile) => (
          <div
            key={tile}
            className="h-90 rounded-card bg-[#e9edf1] data-[part=tile]:h-34"
            data-part="tile"
          />
        ))}
      </div>
      <div className="grid grid-cols-[minmax(0,664fr)_minmax(0,392fr)] gap-[inherit] small-tablet:grid-cols-1">
        <div className="h-90 rounded-card bg-[#e9edf1] data-[part=tile]:h-34" />
        <div className="h-90 rounded-card bg-[#e9edf1] data-[part=tile]:h-34" />
      </div>
    </div>
  );
}

/** The home page of a seller, with the lines to renew and, on a wide window, figures. */
function Today({ dashboard }: { dashboard: Dashboard }) {
  const isPhone = useIsPhone();
  const today = useToday();
  const lines = useDueLines();
  useEffect(() => prefetchOnceUsed([UndoRenewal.fetch]), []);
  const { data } = useQuery(dueLinesQuery(useMe().id));
  const later = (data?.items ?? []).filter(
    ({ expiry_date }) => daysBetween(today, expiry_date) > SOON_DAYS,
  );
  const { lines: figures, online, renewed_today } = dashboard;
  return (
    <>
      <AttentionCard />
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(272px,34%)] items-start gap-6 tablet:grid-cols-1">
        <DueCard lines={lines} later={later} renewed={renewed_today} />
        <div className="grid grid-cols-1 gap-6 phone:gap-4 phone:empty:hidden">
          <AskedCard />
          <OwesCard />
          {figures && !isPhone && <Figures figures={figures} online={online} />}
        </div>
      </div>
    </>
  );
}

function Figures({ figures, online }: { figures: LineFigures } & Pick<Dashboard, 'online'>) {
  return (
    <div className="grid gap-6 tablet:grid-flow-col tablet:auto-cols-fr">
      {online && <OnlineTile online={online} />}
      <ActiveTile lines={figures} />
      <ExpiredTile lines={figures} />
    </div>
  );
}
