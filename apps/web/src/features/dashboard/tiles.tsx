import type { getDashboard, LineFigures, OnlineFigures } from '@linekeeper/contract/dashboard.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { CalendarX, CircleCheck, ClockAlert, Coins, FlaskConical, Radio } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Tile } from '#kit/ui/tile.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatTime } from '#platform/format/format-moment.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { Change, useFigureText } from './change.tsx';
import { isAnyKnown } from './online-cards.tsx';

export type Dashboard = Reply<typeof getDashboard>;

/** Tiles with figures, each a link to the rows that it counts. Administrators have no counted credits. */
export function Tiles({ dashboard: { lines, credits, online } }: { dashboard: Dashboard }) {
  const { is_admin } = useMe();
  return (
    <div
      className={`grid ${online && !is_admin ? 'grid-cols-5' : 'grid-cols-4'} gap-6 phone:gap-2 small-tablet:grid-cols-2 small-tablet:[&>:first-child:nth-last-child(odd)]:col-span-full`}
    >
      {online && <OnlineTile online={online} />}
      {!is_admin && <CreditsTile credits={credits} />}
      {lines && <LineTiles lines={lines} />}
      {is_admin && lines && !online && <TrialsTile lines={lines} />}
    </div>
  );
}

function CreditsTile({ credits: { sold, bought, days } }: Pick<Dashboard, 'credits'>) {
  const { t, i18n } = useTranslation('dashboard');
  const me = useMe();
  return (
    <Tile
      label={t('nav.credits')}
      value={formatNumber(days.at(-1)?.balance ?? me.credits, i18n.language)}
      hint={t('moved', { sold: sold ?? 0, bought: bought ?? 0 })}
      icon={<Coins />}
      tone="primary"
      link={{ to: '/credits', search: { account: me.id } }}
    />
  );
}

export function OnlineTile({ online: { now, most, servers } }: { online: OnlineFigures }) {
  const { t, i18n } = useTranslation('dashboard');
  return (
    <Tile
      label={t('presence.onlineNow')}
      value={isAnyKnown(servers) ? formatNumber(now, i18n.language) : '–'}
      hint={
        most &&
        t('online.most', {
          lines: most.lines,
          time: formatTime(Date.parse(most.hour), i18n.language),
        })
      }
      icon={<Radio />}
      tone="success"
      link={{ to: '/users/all', search: { presence: 'online' } }}
    />
  );
}

interface LinesProps {
  lines: LineFigures;
}

function LineTiles({ lines }: LinesProps) {
  return (
    <>
      <ActiveTile lines={lines} />
      <ExpiringTile lines={lines} />
      <ExpiredTile lines={lines} />
    </>
  );
}

export function ActiveTile({ lines }: LinesProps) {
  const { t } = useTranslation('dashboard');
  return (
    <Tile
      label={t('active')}
      value={useFigureText()(lines.active)}
      hint={<Change change={lines.added} more="good" text={t('addedIn30Days')} />}
      icon={<CircleCheck />}
      tone="success"
      link={{ to: '/users/all', search: { status: 'active' } }}
    />
  );
}

function ExpiringTile({ lines }: LinesProps) {
  const { t } = useTranslation('dashboard');
  const figureText = useFigureText();
  const today = lines.expiries[0];
  return (
    <Tile
      label={t('expiring')}
      value={figureText(lines.expiring)}
      hint={today && t('expireToday', { count: today.total, shown: figureText(today) })}
      icon={<ClockAlert />}
      tone="warning"
      link={{ to: '/users/all', search: { expires: '7d' } }}
    />
  );
}

export function ExpiredTile({ lines }: LinesProps) {
  const { t } = useTranslation('dashboard');
  return (
    <Tile
      label={t('view.expired')}
      value={useFigureText()(lines.expired)}
      hint={<Change change={lines.ended} more="bad" text={t('in7Days')} />}
      icon={<CalendarX />}
      tone="error"
      link={{ to: '/users/all', search: { status: 'expired' } }}
    />
  );
}

function TrialsTile({ lines: { trials, trials_ending } }: LinesProps) {
  const { t } = useTranslation('dashboard');
  const figureText = useFigureText();
  return (
    <Tile
      label={t('view.trials')}
      value={figureText(trials)}
      hint={t('trialsEnding', {
        count: trials_ending.total,
        shown: figureText(trials_ending),
      })}
      icon={<FlaskConical />}
      tone="primary"
      link={{ to: '/users/all', search: { trial: true } }}
    />
  );
}
