import {
  type CreditFigures,
  type Figure,
  type LineFigures,
  type Seller,
  SOON_DAYS,
} from '@linekeeper/contract/dashboard.ts';
import { type Day, daysBetween, formatDay } from '@linekeeper/contract/dates.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { type Line, listLines } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { RenewButton } from '#domain/lines/actions.tsx';
import { expiryTone, expiryWords } from '#domain/lines/expiry.tsx';
import { LineLink } from '#domain/lines/line-link.tsx';
import { useServerName } from '#domain/lines/sync.tsx';
import { ChartCard, ShownOrTableCard } from '#kit/charts/chart-card.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card, CardSummary } from '#kit/ui/card.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { Bar, Bars } from './bars.tsx';
import { useFigureText } from './change.tsx';
import { OnlineCards } from './online-cards.tsx';
import type { Dashboard } from './tiles.tsx';

interface CardsProps {
  dashboard: Dashboard;
}

/**
 * The upper cards of the dashboard: charts for an administrator, or the balance for an account that sells nothing yet.
 */
export function UpperCards({ dashboard: { lines, credits, steps } }: CardsProps) {
  const { is_admin } = useMe();
  const hasMoved = credits.days.some(({ spent, balance }) => spent > 0 || balance !== 0);
  if (!lines) return hasMoved && <BalanceCard credits={credits} />;
  if (!steps.line || !is_admin) return null;
  return (
    <div className="grid grid-cols-[minmax(0,664fr)_minmax(0,392fr)] gap-[inherit] small-tablet:grid-cols-1">
      <ExpiriesCard expiries={lines.expiries} />
      <SoldCard credits={credits} />
    </div>
  );
}

/** The lower cards of an administrator's dashboard: lines to renew next, and the best sellers. Empty for others. */
export function LowerCards({ dashboard: { lines, credits, sellers, steps } }: CardsProps) {
  const { is_admin } = useMe();
  if (!lines || !steps.line || !is_admin) return null;
  const best = sellers && sellers.length > 0 && <SellersCard sellers={sellers} credits={credits} />;
  return (
    <div
      className={
        best
          ? 'grid grid-cols-[minmax(0,664fr)_minmax(0,392fr)] gap-[inherit] small-tablet:grid-cols-1'
          : undefined
      }
    >
      <RenewNextCard expiring={lines.expiring} />
      {best}
    </div>
  );
}

/** The cards with a seller's charts. */
export function SellerCards({ dashboard }: CardsProps) {
  const { lines, credits, sellers, online } = dashboard;
  if (!lines) return null;
  return (
    <>
      <OnlineCards online={online} />
      <div className="grid grid-cols-[minmax(0,664fr)_minmax(0,392fr)] gap-[inherit] small-tablet:grid-cols-1">
        <ExpiriesCard expiries={lines.expiries} />
        <BalanceCard credits={credits} />
      </div>
      {sellers && sellers.length > 0 && <SellersCard sellers={sellers} credits={credits} />}
    </>
  );
}

function ExpiriesCard({ expiries }: Pick<LineFigures, 'expiries'>) {
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
          <Link
            to="/users/all"
            search={{ expires: '30d' }}
            className="text-inherit underline [text-decoration-color:var(--color-divider-strong)] [text-underline-offset:3px]"
          >
            {t('expiries.lines', { count: all.total, shown: figureText(all) })}
          </Link>
          {', '}
          {t('expiries.soon', { count: soon.total, shown: figureText(soon) })}
        </>
      }
      chart={{ points, shape: 'bars', begins: 'first' }}
      legend={[{ text: t('expiries.within7'), tone: 'warning' }, { text: t('expiries.later') }]}
      table={() => ({
        columns: [t('recurring.day'), t('nav.lines')],
        rows: expiries.map(({ day, ...figure }) => ({
          key: day,
          cells: [formatDay(day), figureText(figure)],
        })),
      })}
    />
  );
}

interface SellersProps {
  sellers: readonly Seller[];
  credits: CreditFigures;
}

function SellersCard({ sellers, credits: { days } }: SellersProps) {
  const { t, i18n } = useTranslation('dashboard');
  const most = Math.max(...sellers.map(({ spent }) => spent));
  const [from, to] = [days[0]?.day, days.at(-1)?.day];
  const sales = (account: string) =>
    ({ to: '/credits', search: { kind: 'sale,renewal', account, from, to } }) as const;
  const rows = sellers.map(({ account_id, name, spent }) => ({
    key: account_id,
    link: (
      <Link {...sales(account_id)} className="min-w-0 wrap-anywhere type-strong hover:underline">
        <TypedText>{name}</TypedText>
      </Link>
    ),
    amount: formatNumber(spent, i18n.language),
    share: spent / most,
  }));
  return (
    <ShownOrTableCard
      title={t('sellers.title')}
      summary={t('sellers.summary')}
      table={() => ({
        columns: [t('field.account'), t('nav.credits')],
        rows: rows.map(({ key, link, amount }) => ({ key, cells: [link, amount] })),
      })}
    >
      <Bars>
        {rows.map(({ key, link, amount, share }) => (
          <li key={key}>
            {link}
            <strong className="type-strong">{amount}</strong>
            <Bar share={share} />
          </li>
        ))}
      </Bars>
    </ShownOrTableCard>
  );
}

interface CreditsProps {
  credits: CreditFigures;
}

function SoldCard({ credits: { days, spent, spent_before } }: CreditsProps) {
  const { t, i18n } = useTranslation('dashboard');
  const today = days.at(-1)?.spent ?? 0;
  return (
    <ChartCard
      title={t('sold.title')}
      summary={t('sold.summary', { spent, before: spent_before })}
      chart={{
        points: days.map((one) => ({
          label: axisDay(one.day),
          value: one.spent,
          text: () => t('sold.onDay', { day: formatDay(one.day), count: one.spent }),
        })),
        shape: 'bars',
        begins: 'last',
      }}
      legend={[{ text: t('sold.legend', { today }) }]}
      table={() => ({
        columns: [t('recurring.day'), t('sold.title')],
        rows: days.toReversed().map((one) => ({
          key: one.day,
          cells: [formatDay(one.day), formatNumber(one.spent, i18n.language)],
        })),
      })}
    />
  );
}

function BalanceCard({ credits: { days, spent } }: CreditsProps) {
  const { t, i18n } = useTranslation('dashboard');
  const number = (value: number) => formatNumber(value, i18n.language);
  const balances = days.map((one) => ({ ...one, balance: one.balance ?? 0 }));
  return (
    <ChartCard
      title={t('field.balance')}
      summary={t('balance.summary', { spent })}
      chart={{
        points: balances.map((one) => ({
          label: axisDay(one.day),
          value: one.balance,
          text: () =>
            t('balance.onDay', {
              day: formatDay(one.day),
              count: one.balance,
              spent: one.spent,
            }),
        })),
        shape: 'steps',
        begins: 'last',
      }}
      table={() => ({
        columns: [t('recurring.day'), t('balance.spent'), t('field.balance')],
        rows: balances.toReversed().map((one) => ({
          key: one.day,
          cells: [formatDay(one.day), number(one.spent), number(one.balance)],
        })),
      })}
      action={
        <ButtonLink to="/payments/pricing" fullWidth icon={<Wallet />}>
          {t('nav.topUpCredits')}
        </ButtonLink>
      }
    />
  );
}

/** Day and month, for the axis of a chart. */
const axisDay = (day: Day) => formatDay(day).slice(0, 5);

/** The sum of figures, written like the total of a list with the same rows. */
function sumOf(figures: readonly Figure[]): Figure {
  const total = figures.reduce((sum, figure) => sum + figure.total, 0);
  const isExact = total <= MOST_COUNTED && figures.every(({ total_is_exact }) => total_is_exact);
  return { total: Math.min(total, MOST_COUNTED), total_is_exact: isExact };
}

const expiringLines = () =>
  callQuery('lines', listLines, {
    query: { expires_within: 7, with_below: 'false', sort: 'expiry_date', limit: 5 },
  });

/** The card with the lines that expire first, each with a button to renew it. */
function RenewNextCard({ expiring }: { expiring: Figure }) {
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
