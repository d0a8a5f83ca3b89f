import { type BookMonth, bookCsv, readBook } from '@linekeeper/contract/credits/book.ts';
import { addDays, addMonths } from '@linekeeper/contract/dates.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Download, Lock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAmountText } from '#domain/lines/payment/payment-text.ts';
import { ShownOrTableCard } from '#kit/charts/chart-card.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { FailedCard } from '#kit/ui/states/failed-panel.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { addressOfCall } from '#platform/api/client.ts';
import { downloadFile } from '#platform/browser/download-file.ts';
import { useToday } from '#platform/data/settings.ts';
import { useMonthName } from './book/owes-card.tsx';
import { WithDashboard } from './dashboard-page.tsx';
import { SellerCards } from './figure-cards.tsx';
import { Tiles } from './tiles.tsx';

/** The page with a seller's figures and charts. */
export function NumbersPage() {
  return (
    <>
      <PageHeader />
      <div className="mb-8 phone:mb-4">
        <BookFigures />
      </div>
      <WithDashboard>
        {(dashboard) => (
          <div className="grid grid-cols-1 gap-6 phone:gap-4">
            <Tiles dashboard={dashboard} />
            <SellerCards dashboard={dashboard} />
          </div>
        )}
      </WithDashboard>
    </>
  );
}

type Book = Reply<typeof readBook>;

const SHOWN_MONTHS = 6;
const NOTHING: BookMonth = { month: '', amounts: [], credits: 0, profit_minor: null, plans: [] };
const monthBefore = (month: string, back: number) => addMonths(`${month}-01`, -back).slice(0, 7);

/** The seller's bookkeeping: a month in four figures, and the months before it. */
function BookFigures() {
  const { t } = useTranslation('dashboard');
  const today = useToday();
  const [back, setBack] = useState(0);
  const monthName = useMonthName();
  const month = monthBefore(today.slice(0, 7), back);
  const from = `${monthBefore(month, SHOWN_MONTHS - 1)}-01`;
  const to = back === 0 ? today : addDays(addMonths(`${month}-01`, 1), -1);
  const query = { from, to };
  const { data, error, refetch } = useQuery({
    ...callQuery('book', readBook, { query }),
    placeholderData: keepPreviousData,
  });
  if (!data) {
    return error ? <FailedCard flush error={error} onRetry={() => void refetch()} /> : null;
  }
  const at = (name: string) => data.months.find((one) => one.month === name) ?? NOTHING;
  return (
    <section className="grid grid-cols-1 gap-4 phone:gap-2" aria-label={t('book.title')}>
      <div className="flex items-center gap-2">
        <div className="flex flex-1 items-center justify-between p-1 rounded-[12px] bg-paper shadow-card">
          <IconButton label={t('book.earlier')} onClick={() => setBack(back + 1)}>
            <ChevronLeft />
          </IconButton>
          <b className="type-strong" role="status">
            {monthName(month, { month: 'long', year: 'numeric' })}
          </b>
          <IconButton
            label={t('book.later')}
            disabled={back === 0}
            onClick={() => setBack(back - 1)}
          >
            <ChevronRight />
          </IconButton>
        </div>
        <Button
          icon={<Download />}
          aria-label={t('action.downloadCsv')}
          onClick={() => downloadFile(addressOfCall(bookCsv, { query }))}
        >
          CSV
        </Button>
      </div>
      <Figures book={data} month={at(month)} />
      <Profits
        book={data}
        open={back === 0 ? month : null}
        months={Array.from({ length: SHOWN_MONTHS }, (_, index) => {
          const name = monthBefore(month, SHOWN_MONTHS - 1 - index);
          return { ...at(name), month: name };
        })}
      />
      <p className="flex items-start gap-1.5 px-1 text-text-2 type-caption">
        <Lock className="flex-none mt-0.5" size={14} aria-hidden="true" />
        {t('book.own')}
      </p>
    </section>
  );
}

interface FigureProps {
  label: string;
  values: readonly string[];
  hint: ReactNode;
  isDue?: boolean;
}

function Figure({ label, values, hint, isDue }: FigureProps) {
  return (
    <div className="grid content-start gap-1 p-4 rounded-card bg-paper shadow-card">
      <span className="text-text-2 type-strong">{label}</span>
      <span className={`grid type-number phone:text-[22px] ${isDue ? 'text-error-fg' : ''}`}>
        {values.map((value) => (
          <span key={value}>{value}</span>
        ))}
      </span>
      <span className="text-text-2 type-caption">{hint}</span>
    </div>
  );
}

function Figures({ book, month }: { book: Book; month: BookMonth }) {
  const { t } = useTranslation('dashboard');
  const amountText = useAmountText();
  const { currency, credit_minor, owed } = book;
  const { amounts, credits, profit_minor } = month;
  const taken = amounts.filter(({ taken_minor }) => taken_minor > 0);
  const payments = amounts.reduce((sum, one) => sum + one.payments, 0);
  const none = [amountText(0, currency)];
  const textsOf = (sums: readonly { currency: string | null; amount_minor: number }[]) =>
    sums.length === 0 ? none : sums.map((one) => amountText(one.amount_minor, one.currency));
  const ofCurrency = amounts.find((one) => one.currency === currency)?.taken_minor ?? 0;
  return (
    <div className="grid grid-cols-4 gap-4 phone:gap-2 small-tablet:grid-cols-2">
      <Figure
        label={t('book.taken')}
        values={textsOf(taken.map((one) => ({ ...one, amount_minor: one.taken_minor })))}
        hint={t('book.payments', { count: payments })}
      />
      <Figure
        label={t('book.owed')}
        values={textsOf(owed.totals)}
        hint={t('book.customers', { count: owed.customers })}
        isDue={owed.customers > 0}
      />
      <Figure
        label={t('book.credits')}
        values={[t('number', { value: credits })]}
        hint={
          credit_minor === null
            ? t('book.setCredit')
            : t('book.credit', { amount: amountText(credit_minor, currency) })
        }
      />
      <Figure
        label={t('book.profit')}
        values={[profit_minor === null ? '–' : amountText(profit_minor, currency)]}
        hint={
          profit_minor !== null &&
          `${amountText(ofCurrency, null)} − ${amountText(ofCurrency - profit_minor, null)}`
        }
      />
    </div>
  );
}

const HEIGHT = 90;

interface ProfitsProps {
  book: Book;
  months: readonly BookMonth[];
  /** The month that is not over. */
  open: string | null;
}

/** Profit by month, or, while the price of a credit is not set, what was taken. */
function Profits({ book: { currency, credit_minor }, months, open }: ProfitsProps) {
  const { t } = useTranslation('dashboard');
  const amountText = useAmountText();
  const monthName = useMonthName();
  const isProfit = currency !== null && credit_minor !== null;
  const takenIn = ({ amounts }: BookMonth, of = currency) =>
    amounts.find((one) => one.currency === of)?.taken_minor ?? 0;
  const shownOf = (month: BookMonth) => (isProfit ? (month.profit_minor ?? 0) : takenIn(month));
  const most = Math.max(1, ...months.map((month) => Math.abs(shownOf(month))));
  const title = t(isProfit ? 'book.profitAMonth' : 'book.takenAMonth');
  return (
    <ShownOrTableCard
      title={title}
      summary={[currency, open && t('book.notOver', { month: monthName(open) })]
        .filter(Boolean)
        .join('. ')}
      table={() => ({
        columns: [
          t('book.month'),
          t('book.taken'),
          t('book.owed'),
          t('book.credits'),
          t('book.profit'),
        ],
        rows: months.map((month) => ({
          key: month.month,
          cells: [
            monthName(month.month, { month: 'short', year: 'numeric' }),
            textOf(month, 'taken_minor'),
            textOf(month, 'owed_minor'),
            t('number', { value: month.credits }),
            month.profit_minor === null ? '–' : amountText(month.profit_minor, currency),
          ],
        })),
      })}
    >
      <ul className="flex justify-around" data-print="drawn">
        {months.map((month) => {
          const value = shownOf(month);
          const isOpen = month.month === open;
          return (
            <li
              key={month.month}
              className={`grid justify-items-center content-end gap-1 type-caption ${isOpen ? 'font-bold text-text' : 'text-text-2'}`}
            >
              <span className={value < 0 ? 'text-error-fg' : undefined}>
                {amountText(Math.round(value / 100) * 100, null)}
              </span>
              <span
                className={`w-[34px] rounded-[4px] ${barLook(value < 0, isOpen)}`}
                style={{ height: Math.round((Math.abs(value) / most) * HEIGHT) }}
                aria-hidden="true"
              />
              <span>{monthName(month.month, { month: 'short' })}</span>
            </li>
          );
        })}
      </ul>
    </ShownOrTableCard>
  );

  function textOf({ amounts }: BookMonth, name: 'taken_minor' | 'owed_minor') {
    const some = amounts.filter((one) => one[name] > 0);
    return some.map((one) => amountText(one[name], one.currency)).join(', ') || '–';
  }
}

/** The bar of a month. That of the open month is dashed, also with a loss, because the month may still end well. */
function barLook(isLoss: boolean, isOpen: boolean): string {
  if (isOpen) return 'bg-primary-soft border border-dashed border-primary';
  return isLoss ? 'bg-danger' : 'bg-chart-1';
}
