import type { Figure } from '@linekeeper/contract/dashboard.ts';
import { daysBetween, formatDay } from '@linekeeper/contract/dates.ts';
import { type Line, listLines } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RenewButton } from '#domain/lines/actions.tsx';
import { expiryTone, expiryWords } from '#domain/lines/expiry.tsx';
import { LineLink } from '#domain/lines/line-link.tsx';
import { useServerName } from '#domain/lines/sync.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Card, CardSummary } from '#kit/ui/card.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useToday } from '#platform/data/settings.ts';
import { useFigureText } from './change.tsx';

const expiringLines = () =>
  callQuery('lines', listLines, {
    query: { expires_within: 7, with_below: 'false', sort: 'expiry_date', limit: 5 },
  });

/** The card with the lines that expire first, each with a button to renew it. */
export function RenewNextCard({ expiring }: { expiring: Figure }) {
  const { t } = useTranslation('dashboard');
  const figureText = useFigureText();
  const { data, error, refetch } = useQuery(expiringLines());
  return (
    <Card
      flush
      className="[&>:first-child]:items-start"
      aria-label={t('renewNext.title')}
      title={
        <>
          {t('renewNext.title')}
          <CardSummary>
            {t('renewNext.summary', { count: expiring.total, shown: figureText(expiring) })}
          </CardSummary>
        </>
      }
      action={
        expiring.total > 0 && (
          <Link
            to="/users/all"
            search={{ expires: '7d' }}
            className="text-primary type-[600_14px/28px_var(--font)] hover:underline"
            data-print="none"
          >
            {t('viewAll', { shown: figureText(expiring) })}
          </Link>
        )
      }
    >
      {error && !data ? (
        <FailedPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <ul className="divided [&>li]:min-h-16 [&>li]:py-3 [&>li]:px-(--card-pad) [&>li>:is(a,button)]:flex-none small-phone:[&>li]:flex-wrap small-phone:[&>li]:justify-between">
          {data?.items.map((line) => (
            <ExpiringLine key={line.id} line={line} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function ExpiringLine({ line }: { line: Line }) {
  const { t, i18n } = useTranslation('dashboard');
  const days = daysBetween(useToday(), line.expiry_date);
  const tone = expiryTone(days);
  const server = useServerName(line.server_id);
  const facts = [formatDay(line.expiry_date), server, line.is_trial && t('trial')];
  return (
    <li className="flex items-center gap-4 phone:gap-3">
      <span className="grid grid-cols-1 flex-1 min-w-0 wrap-anywhere small-phone:basis-full">
        <LineLink id={line.id} className="min-w-0 wrap-anywhere type-strong hover:underline">
          {line.username}
        </LineLink>
        <small>{facts.filter(Boolean).join(' · ')}</small>
      </span>
      <Badge tone={tone === 'quiet' ? 'neutral' : tone} drawnIcon="clock-alert">
        {expiryWords(days, i18n.language)}
      </Badge>
      <RenewButton line={line} size="small" />
    </li>
  );
}
