import { type LineFigures, SOON_DAYS } from '@linekeeper/contract/dashboard.ts';
import { daysBetween } from '@linekeeper/contract/dates.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { dueLinesQuery } from '#domain/lines/due-lines.ts';
import { AttentionCard } from '#features/dashboard/attention/attention-card.tsx';
import { OwesCard } from '#features/dashboard/book/owes-card.tsx';
import { ActiveTile, type Dashboard, ExpiredTile, OnlineTile } from '#features/dashboard/tiles.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { prefetchOnceUsed } from '#platform/start/later.ts';
import { AskedCard } from './asked-card.tsx';
import { DueCard } from './due-card.tsx';
import { UndoRenewal } from './due-row.tsx';
import { useDueLines } from './use-due-lines.ts';

/** The home page of a seller, with the lines to renew and, on a wide window, figures. */
export function Today({ dashboard }: { dashboard: Dashboard }) {
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
