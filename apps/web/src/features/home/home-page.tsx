import { useQuery } from '@tanstack/react-query';
import { CalendarX, CircleCheck, ClockAlert, Coins, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatNumber } from '../../shared/format/format-number.ts';
import { lineCountsQuery } from '../../shared/line-counts.ts';
import { usePriceOf } from '../../shared/prices.ts';
import { useCan, useMe } from '../../shared/session.ts';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { FailedPanel } from '../../shared/ui/states/failed-panel.tsx';
import { Tile } from '../../shared/ui/tile.tsx';
import styles from './home-page.module.css';

export function HomePage() {
  const { t } = useTranslation('home');
  const seesLines = useCan(['view_users']);
  return (
    <>
      <PageHeader
        actions={
          seesLines && (
            <ButtonLink to="/users/add" variant="solid" icon={<Plus aria-hidden="true" />}>
              {t('addLine')}
            </ButtonLink>
          )
        }
      />
      {seesLines ? <SellerTiles /> : <PlainTiles />}
    </>
  );
}

function CreditsTile() {
  const { t } = useTranslation('home');
  const { t: common, i18n } = useTranslation();
  const { credits, is_admin } = useMe();
  const price = usePriceOf()(1);
  const monthCost =
    price === undefined
      ? undefined
      : t('monthCost', { cost: common('credits.amount', { count: price }) });
  return (
    <Tile
      label={t('credits')}
      value={formatNumber(credits, i18n.language)}
      hint={is_admin ? t('creditsHint') : monthCost}
      icon={<Coins />}
      tone="primary"
    />
  );
}

function SellerTiles() {
  const { t, i18n } = useTranslation('home');
  const { data: counts, error, refetch } = useQuery(lineCountsQuery());
  if (error && !counts) {
    return (
      <Card flush>
        <FailedPanel error={error} onRetry={() => void refetch()} />
      </Card>
    );
  }
  const shown = (count: number | undefined) =>
    count === undefined ? undefined : formatCount(count, i18n.language);
  return (
    <div className={styles.tiles}>
      <CreditsTile />
      <Tile
        label={t('active')}
        value={shown(counts?.active)}
        hint={counts && t('activeHint', { count: counts.all, shown: shown(counts.all) })}
        icon={<CircleCheck />}
        tone="success"
        link={{ to: '/users/all', search: { status: 'active' } }}
      />
      <Tile
        label={t('expiring')}
        value={shown(counts?.expiring)}
        hint={t('expiringHint')}
        icon={<ClockAlert />}
        tone="warning"
        link={{ to: '/users/all', search: { expires: '7d' } }}
      />
      <Tile
        label={t('expired')}
        value={shown(counts?.expired)}
        hint={t('expiredHint')}
        icon={<CalendarX />}
        tone="error"
        link={{ to: '/users/all', search: { status: 'expired' } }}
      />
    </div>
  );
}

/** The start page of an account that may not see lines. */
function PlainTiles() {
  const { t } = useTranslation('home');
  return (
    <>
      <div className={styles.tiles}>
        <CreditsTile />
      </div>
      <p className={styles.plain}>{t('noLines')}</p>
    </>
  );
}
