import type { Account, AccountFigures } from '@linekeeper/contract/accounts/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { ArrowDownLeft, ArrowUpRight, Coins, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accountFiguresQuery } from '#features/accounts/queries.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { FailedCard } from '#kit/ui/states/failed-panel.tsx';
import { Tile } from '#kit/ui/tile.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';

export function AccountFiguresTiles({ account }: { account: Account }) {
  const { t, i18n } = useTranslation('account');
  const { is_admin } = useMe();
  const { data: figures, error, refetch } = useQuery(accountFiguresQuery(account.id));
  if (error && !figures) {
    return <FailedCard flush error={error} onRetry={() => void refetch()} />;
  }
  const number = (value: number | undefined) =>
    value === undefined ? undefined : formatNumber(value, i18n.language);
  const below = is_admin
    ? ({ to: '/resellers', search: { owner: account.id } } as const)
    : ({ to: '/accounts', search: { owner: account.id } } as const);
  return (
    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1.2fr)] gap-6 tablet:grid-cols-1 phone:gap-2">
      <div className="grid grid-cols-2 gap-6 phone:gap-2 phone:[&>*>:last-child]:min-h-9">
        <Tile
          label={t('field.balance')}
          value={number(account.credits)}
          icon={<Coins />}
          tone="primary"
        />
        <Tile
          label={t('tiles.in')}
          value={number(figures?.credits_in)}
          hint={
            figures &&
            figures.credits_in_lately > 0 &&
            t('tiles.inLately', { credits: figures.credits_in_lately })
          }
          icon={<ArrowDownLeft />}
          tone="success"
        />
        <Tile
          label={t('tiles.out')}
          value={number(figures?.credits_out)}
          hint={
            figures &&
            figures.credits_out_lately > 0 &&
            t('tiles.outLately', { credits: figures.credits_out_lately })
          }
          icon={<ArrowUpRight />}
          tone="primary"
        />
        <Tile
          label={t('below.title')}
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

type Sold = AccountFigures['sold'];

function SoldLines({ sold }: { sold: Sold | undefined }) {
  const { t } = useTranslation('account');
  const [hasNumbers, setHasNumbers] = useState(false);
  const all = sold?.reduce((sum, { lines }) => sum + lines, 0);
  return (
    <Card
      className="flex flex-col min-h-65 [&>p]:-mt-4"
      title={t('sold.title')}
      action={
        <Button
          variant="text"
          size="small"
          aria-pressed={hasNumbers}
          onClick={() => setHasNumbers(!hasNumbers)}
        >
          {t(hasNumbers ? 'chart.asChart' : 'chart.asTable')}
        </Button>
      }
    >
      <p className="text-text-2">
        {sold &&
          (all === 0
            ? t('sold.none')
            : t('sold.sum', { lines: all, latest: sold.at(-1)?.lines ?? 0 }))}
      </p>
      {sold && <Months sold={sold} hasNumbers={hasNumbers} />}
    </Card>
  );
}

const STEPS = [1, 2, 5];
const MOST_STEPS = 5;

/** The round numbers of a scale, from 0 to at least `most`. */
function scaleTo(most: number): number[] {
  const powers = Array.from({ length: 12 }, (_, index) => 10 ** index);
  const steps = powers.flatMap((power) => STEPS.map((step) => step * power));
  const step = steps.find((one) => one * MOST_STEPS >= most) ?? most;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

/** The months as bars or as numbers. Both are a list, which sounds the same when it is read aloud. */
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
    <ul
      className={
        hasNumbers
          ? 'grid grid-cols-2 gap-y-1 gap-x-6 mt-4 [&>li]:flex [&>li]:justify-between [&>li]:gap-2'
          : `flex flex-1 gap-1 min-h-30 [&>li]:flex [&>li]:flex-1 [&>li]:flex-col [&>li]:gap-1 [&>li]:min-w-0`
      }
    >
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
              <span
                className="flex items-end justify-center flex-1 border-b border-b-divider"
                aria-hidden="true"
              >
                <span
                  className="w-[60%] max-w-4 [border-radius:3px_3px_0_0] bg-primary"
                  data-print="ink"
                  style={{ blockSize: `${(lines / top) * 100}%` }}
                />
              </span>
              <span className="text-text-2 type-caption text-center" aria-hidden="true">
                {nameOf(month, 'narrow')}
              </span>
            </>
          )}
        </li>
      ))}
    </ul>
  );
  if (hasNumbers) return months;
  return (
    <div className="flex flex-1 gap-2 mt-4">
      <div
        className="text-text-2 type-caption flex flex-col justify-between [margin-block:-9px_13px] text-end"
        aria-hidden="true"
      >
        {scale.toReversed().map((value) => (
          <span key={value}>{t('number', { value })}</span>
        ))}
      </div>
      {months}
    </div>
  );
}
