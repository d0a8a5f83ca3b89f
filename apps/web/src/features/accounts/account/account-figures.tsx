import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowDownLeft, ArrowUpRight, Coins, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../shared/data/session.ts';
import { formatMoment } from '../../../shared/format/format-moment.ts';
import { formatNumber } from '../../../shared/i18n/format-number.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { FailedPanel } from '../../../shared/ui/states/failed-panel.tsx';
import { Tile } from '../../../shared/ui/tile.tsx';
import { accountFiguresQuery } from '../queries.ts';
import styles from './account.module.css';
import { SoldLines } from './sold-lines.tsx';

/** Tiles with the account's balance, received and spent credits, and lines. */
export function AccountFiguresTiles({ account }: { account: Account }) {
  const { t, i18n } = useTranslation('account');
  const { is_admin } = useMe();
  const { data: figures, error, refetch } = useQuery(accountFiguresQuery(account.id));
  if (error && !figures) {
    return (
      <Card flush>
        <FailedPanel error={error} onRetry={() => void refetch()} />
      </Card>
    );
  }
  const number = (value: number | undefined) =>
    value === undefined ? undefined : formatNumber(value, i18n.language);
  const below = is_admin
    ? ({ to: '/resellers', search: { owner: account.id } } as const)
    : ({ to: '/accounts', search: { owner: account.id } } as const);
  return (
    <div className={styles.figures}>
      <div className={styles.tiles}>
        <Tile
          label={t('tiles.balance')}
          value={number(account.credits)}
          hint={
            figures?.changed_at
              ? t('tiles.changed', { time: formatMoment(figures.changed_at, i18n.language) })
              : undefined
          }
          icon={<Coins />}
          tone="primary"
        />
        <Tile
          label={t('tiles.in')}
          value={number(figures?.credits_in)}
          hint={
            figures &&
            (figures.credits_in_lately > 0
              ? t('tiles.inLately', { credits: figures.credits_in_lately })
              : t('tiles.noneLately'))
          }
          icon={<ArrowDownLeft />}
          tone="success"
        />
        <Tile
          label={t('tiles.out')}
          value={number(figures?.credits_out)}
          hint={
            figures &&
            (figures.credits_out_lately > 0
              ? t('tiles.outLately', { credits: figures.credits_out_lately })
              : t('tiles.noneLately'))
          }
          icon={<ArrowUpRight />}
          tone="primary"
        />
        <Tile
          label={t('tiles.below')}
          value={number(account.subtree_count)}
          hint={
            figures &&
            t('tiles.belowHint', { lines: figures.lines_below, credits: figures.credits_below })
          }
          icon={<Users />}
          tone="primary"
          link={account.subtree_count > 0 ? below : undefined}
        />
      </div>
      <SoldLines sold={figures?.sold} />
    </div>
  );
}
