import { formatDay } from '@linekeeper/contract/dates.ts';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '#kit/charts/chart-card.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card, CardSummary } from '#kit/ui/card.tsx';
import { formatTime } from '#platform/format/format-moment.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { UsageChart } from './usage-chart.tsx';
import { MANY_REFUSED, type ShownDay, shownDays, sumOf } from './usage-days.ts';
import type { UsageProps } from './usage-props.ts';
import { useUsageTexts } from './use-usage-texts.ts';

/** The usage of a line in the last 30 days, as two charts or as a table. */
export function Month({ line, usage }: UsageProps) {
  const { t } = useTranslation('line');
  const { share } = useUsageTexts();
  const [isTable, setTable] = useState(false);
  const days = shownDays(usage, line.added_date);
  const { minutes, known, refused } = sumOf(days);
  const title = t('usage.month', { days: days.length });
  if (minutes === 0 && (known === 0 || line.added_date === days.at(-1)?.day)) {
    return (
      <Card title={title}>
        <p className="text-text-2">{t('usage.nothing')}</p>
      </Card>
    );
  }
  return (
    <Card
      title={
        <>
          {title}
          <CardSummary>
            {t('usage.summary', {
              online: t('usage.hoursOfScale', { hours: Math.round(minutes / 60) }),
              refused: share(refused),
            })}
          </CardSummary>
        </>
      }
      action={
        <Button
          variant="text"
          size="small"
          aria-label={t('actionOf', {
            action: t(isTable ? 'chart.asChart' : 'chart.asTable'),
            name: title,
          })}
          onClick={() => setTable(!isTable)}
        >
          {t(isTable ? 'chart.asChart' : 'chart.asTable')}
        </Button>
      }
    >
      {isTable ? (
        <DaysTable title={title} days={days} readAt={usage.read_at} />
      ) : (
        <UsageChart label={title} days={days} />
      )}
    </Card>
  );
}

interface DaysTableProps {
  title: string;
  days: readonly ShownDay[];
  readAt: string | null;
}

function DaysTable({ title, days, readAt }: DaysTableProps) {
  const { t, i18n } = useTranslation('line');
  const { duration, share } = useUsageTexts();
  const number = (value: number) => formatNumber(value, i18n.language);
  const until = readAt && t('usage.until', { time: formatTime(Date.parse(readAt), i18n.language) });
  const rows = days.toReversed().map((day, index) => ({
    key: day.day,
    cells: [
      <Fragment key="day">
        {formatDay(day.day)}{' '}
        {index === 0 && <span className="text-text-2 type-caption">{until}</span>}
      </Fragment>,
      ...(day.isUnknown && day.minutes_online === 0
        ? [t('presence.unknown'), '', '', '', '']
        : [
            duration(day.minutes_online),
            number(day.requests),
            day.refused >= MANY_REFUSED ? (
              <b key="refused" className="text-danger">
                {share(day.refused)}
              </b>
            ) : (
              share(day.refused)
            ),
            number(day.most_connections),
            number(day.networks),
          ]),
    ],
  }));
  const columns = (['day', 'online', 'requests', 'refused', 'atOnce', 'networks'] as const).map(
    (column) => t(`usage.columns.${column}`),
  );
  return <DataTable label={title} columns={columns} rows={rows} />;
}
