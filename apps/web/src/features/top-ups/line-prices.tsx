import type { Price } from '@linekeeper/contract/pricing.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../shared/browser/use-is-phone.ts';
import { pricesQuery } from '../../shared/data/prices.ts';
import { useMe } from '../../shared/data/session.ts';
import { formatNumber } from '../../shared/i18n/format-number.ts';
import type { Column } from '../../shared/list/table/column.ts';
import { SmallTable } from '../../shared/list/table/small-table.tsx';
import { useDrawnInSlices } from '../../shared/start/later.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { FailedPanel } from '../../shared/ui/states/failed-panel.tsx';
import { formatParts, formatPercent } from './money.ts';
import styles from './pricing.module.css';

/** The price of each term in credits, whole and by the month. */
export function LinePrices() {
  const { t } = useTranslation('topUps');
  const { data: fetched, error, refetch } = useQuery(pricesQuery());
  const data = useDrawnInSlices(fetched);
  const isPhone = useIsPhone();
  const columns = useColumns(data?.[0], isPhone);
  return (
    <Card flush className={styles.lines} aria-labelledby="line-prices">
      <div className={styles.head}>
        <h2 id="line-prices">{t('pricing.lines')}</h2>
        <p>{t('pricing.linesText')}</p>
      </div>
      {error && !fetched ? (
        <FailedPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <SmallTable
          caption={t('pricing.lines')}
          columns={columns.filter(({ id }) => !isPhone || id !== 'saves')}
          rows={data}
          rowId={({ months }) => months}
        />
      )}
    </Card>
  );
}

const monthly = ({ months, cost }: Price) => cost / months;

function useColumns(shortest: Price | undefined, isPhone: boolean): Column<Price>[] {
  const { t, i18n } = useTranslation('topUps');
  const { credits } = useMe();
  const savedBy = (price: Price) => (shortest ? 1 - monthly(price) / monthly(shortest) : 0);
  return [
    {
      id: 'term',
      kind: 'name',
      title: t('field.duration'),
      cell: ({ months }) => t('credits.months', { count: months }),
    },
    {
      id: 'cost',
      title: t('field.credits'),
      align: 'end',
      look: 'strong',
      cell: ({ cost }) => formatNumber(cost, i18n.language),
    },
    {
      id: 'monthly',
      title: t('pricing.monthly'),
      align: 'end',
      cell: (price) => formatParts(monthly(price), i18n.language),
    },
    {
      id: 'saves',
      title: t('pricing.saves'),
      align: 'end',
      cell: (price) =>
        savedBy(price) > 0 && (
          <Badge tone="success">{formatPercent(savedBy(price), i18n.language)}</Badge>
        ),
    },
    {
      id: 'with',
      title: isPhone ? t('nav.lines') : t('pricing.with', { count: credits }),
      align: 'end',
      look: 'quiet',
      cell: ({ cost }) => formatNumber(Math.floor(credits / cost), i18n.language),
    },
  ];
}
