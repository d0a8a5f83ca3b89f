import { type LineFigures, SOON_DAYS } from '@linekeeper/contract/dashboard.ts';
import { formatDay } from '@linekeeper/contract/dates.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../shared/ui/charts/chart-card.tsx';
import { useFigureText } from './change.tsx';
import styles from './dashboard.module.css';
import { axisDay, sumOf } from './days.ts';

/** How many lines expire on each of the next days. */
export function ExpiriesCard({ expiries }: Pick<LineFigures, 'expiries'>) {
  const { t } = useTranslation('dashboard');
  const figureText = useFigureText();
  const soon = sumOf(expiries.slice(0, SOON_DAYS + 1));
  const all = sumOf(expiries);
  const points = expiries.map(({ day, ...figure }, index) => ({
    label: axisDay(day),
    value: figure.total,
    text: () =>
      t('expiries.onDay', {
        day: formatDay(day),
        count: figure.total,
        shown: figureText(figure),
      }),
    ...(index <= SOON_DAYS ? { tone: 'warning' as const } : {}),
  }));
  return (
    <ChartCard
      title={t('expiries.title')}
      summary={
        <>
          <Link to="/users/all" search={{ expires: '30d' }} className={styles.quietLink}>
            {t('expiries.lines', { count: all.total, shown: figureText(all) })}
          </Link>
          {', '}
          {t('expiries.soon', { count: soon.total, shown: figureText(soon) })}
        </>
      }
      chart={{ points, shape: 'bars', begins: 'first' }}
      legend={[{ text: t('expiries.within7'), tone: 'warning' }, { text: t('expiries.later') }]}
      table={() => ({
        columns: [t('day'), t('expiries.column')],
        rows: expiries.map(({ day, ...figure }) => ({
          key: day,
          cells: [formatDay(day), figureText(figure)],
        })),
      })}
    />
  );
}
