import type { Account, AccountFigures } from '@linekeeper/contract/accounts/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowDownLeft, ArrowUpRight, Coins, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accountFiguresQuery } from '#features/accounts/queries.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Tile } from '#kit/ui/tile.tsx';
import { Caption, Grid, Muted, Row } from '#kit/ui/vocabulary.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatMoment } from '#platform/format/format-moment.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import styles from './account.module.css';

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
    <Grid columns="minmax(0, 2fr) minmax(0, 1.2fr)" gap={24} single="tablet" phoneGap={8}>
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
    </Grid>
  );
}

type Sold = AccountFigures['sold'];

function SoldLines({ sold }: { sold: Sold | undefined }) {
  const { t } = useTranslation('account');
  const [hasNumbers, setHasNumbers] = useState(false);
  const all = sold?.reduce((sum, { lines }) => sum + lines, 0);
  return (
    <Card
      className={styles.sold}
      title={t('sold.title')}
      action={
        <Button
          variant="text"
          size="small"
          aria-pressed={hasNumbers}
          onClick={() => setHasNumbers(!hasNumbers)}
        >
          {t(hasNumbers ? 'sold.asBars' : 'sold.asTable')}
        </Button>
      }
    >
      <Muted as="p">
        {sold &&
          (all === 0
            ? t('sold.none')
            : t('sold.sum', { lines: all, latest: sold.at(-1)?.lines ?? 0 }))}
      </Muted>
      {sold && <Months sold={sold} hasNumbers={hasNumbers} />}
    </Card>
  );
}

const STEPS = [1, 2, 5];
const MOST_STEPS = 5;

/** Round numbers from 0 to at least the most. */
function scaleTo(most: number): number[] {
  const powers = Array.from({ length: 12 }, (_, index) => 10 ** index);
  const steps = powers.flatMap((power) => STEPS.map((step) => step * power));
  const step = steps.find((one) => one * MOST_STEPS >= most) ?? most;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

/** A list either way, which reads the same aloud. */
function Months({ sold, hasNumbers }: { sold: Sold; hasNumbers: boolean }) {
  const { t, i18n } = useTranslation();
  const scale = scaleTo(Math.max(1, ...sold.map(({ lines }) => lines)));
  const top = scale.at(-1) ?? 1;
  const nameOf = (month: string, length: 'long' | 'narrow') =>
    new Intl.DateTimeFormat(i18n.language, {
      month: length,
      ...(length === 'long' ? { year: 'numeric' } : {}),
      timeZone: 'UTC',
    }).format(new Date(`${month}-01T00:00:00Z`));
  const months = (
    <ul className={hasNumbers ? styles.months : styles.bars}>
      {sold.map(({ month, lines }) => (
        <li key={month} title={`${nameOf(month, 'long')}: ${t('number', { value: lines })}`}>
          {hasNumbers ? (
            <>
              <span>{nameOf(month, 'long')}</span>
              <b>{t('number', { value: lines })}</b>
            </>
          ) : (
            <>
              <span className="visually-hidden">
                {nameOf(month, 'long')}: {t('number', { value: lines })}
              </span>
              <Row
                as="span"
                align="end"
                justify="center"
                className={styles.track}
                aria-hidden="true"
              >
                <span
                  className={styles.bar}
                  data-print="ink"
                  style={{ blockSize: `${(lines / top) * 100}%` }}
                />
              </Row>
              <Caption className={styles.month} aria-hidden="true">
                {nameOf(month, 'narrow')}
              </Caption>
            </>
          )}
        </li>
      ))}
    </ul>
  );
  if (hasNumbers) return months;
  return (
    <div className={styles.chart}>
      <Caption as="div" className={styles.scale} aria-hidden="true">
        {scale.toReversed().map((value) => (
          <span key={value}>{t('number', { value })}</span>
        ))}
      </Caption>
      {months}
    </div>
  );
}
