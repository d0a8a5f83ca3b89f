import { type Debt, editBookEntry, readBook } from '@linekeeper/contract/credits/book.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { LineLink } from '#domain/lines/line-link.tsx';
import { useAmountText, useDebtText } from '#domain/lines/payment/payment-text.ts';
import { lineQuery } from '#domain/lines/queries.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useCan } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { localeOf } from '#platform/i18n/languages.ts';
import { results } from '#platform/state/results.ts';
import { RemindButton } from './remind-button.tsx';

export function useMonthName() {
  const { i18n } = useTranslation();
  return (month: string, form: Intl.DateTimeFormatOptions = { month: 'long' }) =>
    new Intl.DateTimeFormat(localeOf(i18n.language), { ...form, timeZone: 'UTC' }).format(
      new Date(`${month}-01`),
    );
}

/** The card with what customers owe. It is hidden while nobody owes anything. */
export function OwesCard() {
  const { t } = useTranslation('dashboard');
  const amountText = useAmountText();
  const monthName = useMonthName();
  const today = useToday();
  const { data } = useQuery(callQuery('book', readBook, { enabled: useCan(readBook.access) }));
  if (!data || data.owed.items.length === 0) return null;
  const { customers, totals, items } = data.owed;
  return (
    <Card flush aria-label={t('payment.owes')}>
      <div className="flex items-center justify-between gap-2 min-h-14 pt-4 px-(--card-pad)">
        <h2>
          {t('payment.owes')}
          <span
            className="inline-block min-w-6 ms-2 py-0 px-1.5 rounded-badge bg-tone-bg text-tone-fg type-[700_12px/22px_var(--font)] text-center"
            data-tone="error"
          >
            {t('number', { value: customers })}
          </span>
        </h2>
        <b className="type-strong text-end">
          {totals.map((one) => amountText(one.amount_minor, one.currency)).join(', ')}
        </b>
      </div>
      <ul className="divided">
        {items.map((debt) => (
          <DebtRow key={debt.id} debt={debt} />
        ))}
      </ul>
      <p className="min-h-14 py-4 px-(--card-pad) border-t border-t-divider">
        <Link to="/numbers" className="text-primary font-semibold hover:underline">
          {t('book.numbersOf', { month: monthName(today.slice(0, 7)) })}
        </Link>
      </p>
    </Card>
  );
}

function DebtRow({ debt }: { debt: Debt }) {
  const { t } = useTranslation('dashboard');
  const debtText = useDebtText();
  const { id, line_id, username, name } = debt;
  const who = name || username;
  const settle = useCommand(editBookEntry, { params: { id }, refreshes: ['book', 'lines'] });
  const paid = () =>
    settle.send(
      { state: 'paid' },
      {
        done: () =>
          results.success(t('book.paidBy', { name: who }), {
            action: {
              label: t('action.undo'),
              key: 'z',
              onClick: () => void settle.send({ state: 'owes' }),
            },
          }),
      },
    );
  return (
    <li className="flex items-center gap-2 min-h-16 py-2 px-(--card-pad) [&>button]:flex-none">
      <span className="grid grid-cols-1 flex-1 min-w-0 wrap-anywhere">
        {line_id ? (
          <LineLink id={line_id} className="justify-self-start type-strong hover:underline">
            <TypedText>{who}</TypedText>
          </LineLink>
        ) : (
          <b className="type-strong">
            <TypedText>{who}</TypedText>
          </b>
        )}
        <small className="text-text-2">{debtText(debt)}</small>
      </span>
      {line_id && <RemindDebtor id={line_id} />}
      <Button
        icon={<Check />}
        pending={settle.isPending}
        aria-label={t('actionOf', { action: t('payment.paid'), name: who })}
        onClick={() => void paid()}
      >
        {t('payment.paid')}
      </Button>
    </li>
  );
}

function RemindDebtor({ id }: { id: string }) {
  const { data: line } = useQuery(lineQuery(id));
  return line ? <RemindButton line={line} isSmall /> : null;
}
