import type { Renewals } from '@linekeeper/contract/dashboard.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarPlus } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useLineDialogs } from '#domain/lines/actions.tsx';
import { AllRenewed } from '#domain/lines/all-renewed.tsx';
import { firstDue, useNextText } from '#domain/lines/due-lines.ts';
import { useRenewalTerm } from '#domain/lines/renewal/term.ts';
import { allPricesQuery, priceIn, usePriceOf, useTerms } from '#domain/prices/prices.ts';
import { SelectBox } from '#kit/forms/fields/select-input.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { FailedCard } from '#kit/ui/states/failed-panel.tsx';
import { useMe } from '#platform/data/session.ts';
import { DueRow } from './due-row.tsx';
import type { DueLine, DueLines } from './use-due-lines.ts';

const isOpen = ({ renewed }: DueLine) => renewed === undefined;

interface DueCardProps {
  lines: DueLines;
  /** Lines that were renewed today, here or elsewhere, separately or together. */
  renewed: Renewals;
  /** Lines that expire later, for the message once all are renewed. */
  later: Parameters<ReturnType<typeof useNextText>>[0];
}

/** The card with the lines to renew today and this week, each by one button. */
export function DueCard({ lines, later, renewed }: DueCardProps) {
  const { t } = useTranslation('dashboard');
  const { term: months } = useRenewalTerm();
  const terms = useTerms();
  const { today, week, error, isPending } = lines;
  if (error) {
    return <FailedCard flush error={error} onRetry={lines.retry} />;
  }
  if (isPending || !terms) return null;
  const rows = (due: readonly DueLine[]) => (
    <ul className="divided">
      {due.map((one) => (
        <DueRow key={one.line.id} due={one} months={months} lines={lines} />
      ))}
    </ul>
  );
  const isDone = !today.some(isOpen);
  const renewedToday = isDone ? today : [];
  return (
    <Card flush aria-label={t('today.due')}>
      {isDone && (today.length > 0 || !week.some(isOpen)) && (
        <Done lines={lines} later={later} renewed={renewed} months={months} />
      )}
      {renewedToday.length > 0 && (
        <Group title={t('today.renewedHere')} due={renewedToday} tone="success">
          {rows(renewedToday)}
        </Group>
      )}
      {(!isDone || week.length > 0) && months !== undefined && (
        <RenewFor months={months} terms={terms} />
      )}
      {!isDone && (
        <Group
          title={t('today.dueToday')}
          due={today}
          tone="error"
          action={<RenewMany due={today} months={months} />}
        >
          {rows(today)}
        </Group>
      )}
      {week.length > 0 && (
        <Group
          title={t('today.thisWeek')}
          due={week}
          tone="warning"
          action={<RenewMany due={week} months={months} />}
        >
          {rows(week)}
        </Group>
      )}
      {lines.hasMore && (
        <p className="py-2 px-(--card-pad)">
          <Link
            to="/users/all"
            search={{ expires: '7d' }}
            className="text-primary type-[600_14px/28px_var(--font)] hover:underline"
          >
            {t('today.more')}
          </Link>
        </p>
      )}
    </Card>
  );
}

function Done({
  lines: { week },
  later,
  renewed,
  months,
}: DueCardProps & Pick<RenewManyProps, 'months'>) {
  const { t } = useTranslation('dashboard');
  const { credits } = useMe();
  const nextText = useNextText();
  const open = week.filter(isOpen);
  const ahead = [...open.map(({ line }) => line), ...later];
  const next = firstDue(ahead);
  const nextDue = open.filter(({ line }) => next?.lines.includes(line));
  return (
    <AllRenewed
      next={nextText(ahead)}
      summary={
        renewed.lines > 0 &&
        t('today.summary', {
          count: renewed.lines,
          price: t('credits.amount', { count: renewed.cost }),
          balance: t('number', { value: credits }),
        })
      }
      // The button for the whole week already includes these lines.
      action={nextDue.length < open.length && <RenewMany due={nextDue} months={months} isNext />}
      isShort={open.length > 0}
    />
  );
}

/** The term of the next renewals, kept for the account. */
function RenewFor({ months, terms }: { months: number; terms: readonly number[] }) {
  const { t } = useTranslation('dashboard');
  const id = useId();
  const priceOf = usePriceOf();
  const { keepTerm } = useRenewalTerm();
  return (
    <div className="flex items-center gap-4 phone:gap-1 pt-5 px-(--card-pad) pb-0 [&>:first-child]:flex-none [&>button]:max-w-68 phone:flex-col phone:items-stretch phone:pt-3 phone:[&>button]:max-w-none">
      <b className="type-strong" id={`${id}-label`}>
        {t('today.renewForTerm')}
      </b>
      <SelectBox
        id={id}
        value={String(months)}
        options={terms.map((term) => {
          const price = priceOf(term);
          const label = t('credits.months', { count: term });
          const each = price !== undefined && { description: t('credits.each', { count: price }) };
          return { value: String(term), label, ...each };
        })}
        onChange={(term) => keepTerm(Number(term))}
      />
    </div>
  );
}

interface GroupProps {
  title: string;
  due: readonly DueLine[];
  tone: 'error' | 'warning' | 'success';
  action?: ReactNode;
  children: ReactNode;
}

/** A group of lines, with the number left to renew; once there is none, with the number of renewed ones. */
function Group({ title, due, tone, action, children }: GroupProps) {
  const { t } = useTranslation();
  const left = due.filter(isOpen).length;
  return (
    <section className="[&+&]:mt-2 [&+&]:border-t [&+&]:border-t-divider" aria-label={title}>
      <div className="flex items-center justify-between gap-2 min-h-12 pt-2 px-(--card-pad) pb-0 [&_h2]:type-strong phone:min-h-13">
        <h2>
          {title}
          <span
            className="inline-block min-w-6 ms-2 py-0 px-1.5 rounded-badge bg-tone-bg text-tone-fg type-[700_12px/22px_var(--font)] text-center"
            data-tone={left > 0 ? tone : 'success'}
          >
            {t('number', { value: left || due.length })}
          </span>
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}

interface RenewManyProps {
  due: readonly DueLine[];
  /** The chosen term in months; undefined if the prices could not be loaded. */
  months: number | undefined;
  /** True for the lines of the next day, below the finished work. */
  isNext?: boolean;
}

/** Opens the preview of a renewal of several lines. */
function RenewMany({ due, months, isNext }: RenewManyProps) {
  const { t } = useTranslation('dashboard');
  const { renewMany } = useLineDialogs();
  const { data: prices = [] } = useQuery(allPricesQuery());
  // Trials are left out, because a person makes them paid lines one by one.
  const lines = due.filter((one) => isOpen(one) && !one.line.is_trial).map(({ line }) => line);
  const ids = lines.map(({ id }) => id);
  // A single line already has its own button.
  if (ids.length < 2 || months === undefined) return null;
  const costs = lines.map(({ plan_id }) => priceIn(prices, months, plan_id));
  if (!costs.every((cost) => cost !== undefined)) return null;
  const text = t('today.renewMany', {
    count: ids.length,
    price: t('credits.amount', { count: costs.reduce((sum, cost) => sum + cost, 0) }),
  });
  const open = () => renewMany({ ids, months });
  return isNext ? (
    <Button icon={<CalendarPlus />} aria-haspopup="dialog" onClick={open}>
      {text}
    </Button>
  ) : (
    <button
      type="button"
      className="min-h-8 text-primary font-semibold text-end hover:underline phone:min-h-11"
      aria-haspopup="dialog"
      onClick={open}
    >
      {text}
    </button>
  );
}
