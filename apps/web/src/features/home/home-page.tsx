import { creditCost } from '@linekeeper/contract/credits.ts';
import { useQuery } from '@tanstack/react-query';
import { CalendarX, CircleCheck, ClockAlert, Coins, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { lineCountsQuery, showCount } from '../../shared/line-counts.ts';
import { paths } from '../../shared/paths.ts';
import { useCan, useMe } from '../../shared/session.ts';
import { showNumber } from '../../shared/show-number.ts';
import { ButtonLink } from '../../shared/ui/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { FailedPanel } from '../../shared/ui/failed-panel.tsx';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import styles from './home-page.module.css';
import { Tile } from './tile.tsx';

export function HomePage() {
  const { t } = useTranslation('home');
  const seesLines = useCan(['view_users']);
  return (
    <>
      <PageHeader
        title={t('title')}
        actions={
          seesLines && (
            <ButtonLink to={paths.addLine()} variant="solid" icon={<Plus aria-hidden="true" />}>
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
  const monthCost = common('credits.amount', { count: creditCost(1) });
  return (
    <Tile
      label={t('credits')}
      value={showNumber(credits, i18n.language)}
      hint={is_admin ? t('creditsHint') : t('monthCost', { cost: monthCost })}
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
    count === undefined ? undefined : showCount(count, i18n.language);
  return (
    <div className={styles.tiles}>
      <CreditsTile />
      <Tile
        label={t('active')}
        value={shown(counts?.active)}
        hint={counts && t('activeHint', { count: counts.all, shown: shown(counts.all) })}
        icon={<CircleCheck />}
        tone="success"
        search={{ status: 'active' }}
      />
      <Tile
        label={t('expiring')}
        value={shown(counts?.expiring)}
        hint={t('expiringHint')}
        icon={<ClockAlert />}
        tone="warning"
        search={{ expires: '7d' }}
      />
      <Tile
        label={t('expired')}
        value={shown(counts?.expired)}
        hint={t('expiredHint')}
        icon={<CalendarX />}
        tone="error"
        search={{ status: 'expired' }}
      />
    </div>
  );
}

/** For an account that has nothing to manage yet. */
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
