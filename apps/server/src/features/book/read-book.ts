import type * as contract from '@linekeeper/contract/credits/book.ts';
import { type BookAmounts, type BookMonth, MOST_DEBTS } from '@linekeeper/contract/credits/book.ts';
import type { Day } from '@linekeeper/contract/dates.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { refundableKinds } from '../../domain/credits/refund.ts';
import { readOwnPrices } from '../../domain/lines/own-prices.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { startOfDay } from '../../platform/clock.ts';
import { csvHead, csvRows } from '../../platform/paging/csv.ts';

interface Period {
  from: Day;
  to: Day;
  time_zone: string;
}

interface OfPlan {
  month: string;
  plan_id: string | null;
  plan: string | null;
}

/** SQL of the time of a bookkeeping entry: that of the payment, or, before it, of the sale or renewal. */
const enteredAt = sql<Date>`coalesce(paid_at, book_entries.created_at)`;

const within = (at: typeof enteredAt, { from, to, time_zone }: Period) => sql<boolean>`
  (${at} >= ${startOfDay(from, time_zone)} and ${at} < ${startOfDay(to, time_zone, 1)})`;

const monthOf = (at: typeof enteredAt, { time_zone }: Period) =>
  sql<string>`to_char(${at} at time zone ${time_zone}, 'YYYY-MM')`;

/** Sums of the entries by month, plan and currency. */
async function readEntries(db: Db, account_id: string, period: Period) {
  const { rows } = await sql<OfPlan & BookAmounts>`
    select ${monthOf(enteredAt, period)} as month, plan_id, plans.name as plan, currency,
        coalesce(sum(amount_minor) filter (where state = 'paid'), 0)::bigint as taken_minor,
        count(*) filter (where state = 'paid')::integer as payments,
        coalesce(sum(amount_minor) filter (where state = 'owes'), 0)::bigint as owed_minor
      from book_entries left join plans on plans.id = plan_id
      where account_id = ${account_id} and state <> 'free' and ${within(enteredAt, period)}
      group by 1, 2, 3, 4 order by 1, 3, 4`.execute(db);
  return rows;
}

/**
 * Credits that the account spent on its own lines by month and plan, less refunds. Deleted lines count, and so do the
 * lines of activation codes that are not used yet.
 */
async function readCredits(db: Db, account_id: string, period: Period) {
  const paidAt = sql<Date>`paid.created_at`;
  const { rows } = await sql<OfPlan & { credits: number }>`
    select ${monthOf(paidAt, period)} as month, plans.id as plan_id, plans.name as plan,
        sum(paid.amount - coalesce(back.amount, 0))::bigint as credits
      from credit_transfers paid
        left join credit_transfers back on back.refund_of = paid.id
        left join users on users.id = paid.line_id
        left join activation_codes code on code.line_id = paid.line_id
        left join plans on plans.id = coalesce(users.plan_id, code.plan_id)
      where paid.from_id = ${account_id} and paid.kind = any(${refundableKinds}::text[])
        and (users.id is null or users.owner_id = ${account_id}) and ${within(paidAt, period)}
      group by 1, 2, 3 having sum(paid.amount - coalesce(back.amount, 0)) <> 0 order by 1, 3`.execute(
    db,
  );
  return rows;
}

/** Open debts, the oldest first. The customer's name is that of a line that the account still owns. */
async function readDebts(db: Db, account_id: string) {
  const open = db
    .selectFrom('book_entries')
    .where('book_entries.account_id', '=', account_id)
    .where('state', '=', 'owes');
  const items = await open
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'line_id').on('users.owner_id', '=', account_id),
    )
    .select(['book_entries.id', 'users.id as line_id', 'book_entries.username', 'users.name'])
    .select(['amount_minor', 'book_entries.currency', 'due', 'book_entries.created_at'])
    .orderBy(sql`coalesce(due, book_entries.created_at::date)`)
    .orderBy('book_entries.id')
    .limit(MOST_DEBTS)
    .execute();
  const totals = await open
    .select(['currency', sql<number>`coalesce(sum(amount_minor), 0)::bigint`.as('amount_minor')])
    .groupBy('currency')
    .orderBy('currency')
    .execute();
  const { customers } = await open
    .select(sql<number>`count(distinct coalesce(line_id::text, username))`.as('customers'))
    .executeTakeFirstOrThrow();
  return {
    customers,
    totals,
    items: items.map(({ created_at, ...debt }) => ({ ...debt, since: created_at.toISOString() })),
  };
}

function sumOf(amounts: readonly BookAmounts[]): BookAmounts[] {
  return [...Map.groupBy(amounts, ({ currency }) => currency)].map(([currency, some]) => {
    const sum = (name: 'taken_minor' | 'payments' | 'owed_minor') =>
      some.reduce((total, one) => total + one[name], 0);
    return {
      currency,
      taken_minor: sum('taken_minor'),
      payments: sum('payments'),
      owed_minor: sum('owed_minor'),
    };
  });
}

async function readMonths(db: Db, account_id: string, period: Period, own: OwnPrices) {
  const [entries, spent] = await Promise.all([
    readEntries(db, account_id, period),
    readCredits(db, account_id, period),
  ]);
  const ofMonth = Map.groupBy([...entries, ...spent], ({ month }) => month);
  return [...ofMonth].sort().map(([month, rows]): BookMonth => {
    const plans = [...Map.groupBy(rows, ({ plan_id }) => plan_id)].map(([plan_id, some]) => ({
      plan_id,
      plan: some[0]?.plan ?? null,
      amounts: sumOf(some.filter((row) => 'currency' in row)),
      credits: some.reduce((sum, row) => sum + ('credits' in row ? row.credits : 0), 0),
    }));
    const credits = plans.reduce((sum, plan) => sum + plan.credits, 0);
    const amounts = sumOf(plans.flatMap((plan) => plan.amounts));
    return { month, amounts, credits, profit_minor: profitOf(amounts, credits, own), plans };
  });
}

type OwnPrices = Awaited<ReturnType<typeof readOwnPrices>>;

/**
 * The payments received in the account's currency, less the cost of its credits. Other currencies are not converted.
 */
function profitOf(
  amounts: readonly BookAmounts[],
  credits: number,
  { currency, credit_minor }: OwnPrices,
): number | null {
  if (currency === null || credit_minor === null) return null;
  const taken = amounts.find((one) => one.currency === currency)?.taken_minor ?? 0;
  return taken - credits * credit_minor;
}

/** The requested period; by default the current month. */
function periodOf(ctx: Ctx, { from, to }: { from?: Day | undefined; to?: Day | undefined }) {
  const today = ctx.today();
  const first = `${(to ?? today).slice(0, 7)}-01`;
  return { from: from ?? first, to: to ?? today, time_zone: ctx.config.time_zone };
}

export const readBook: Action<typeof contract.readBook> = async (ctx, { query }) => {
  const { db, actor } = ctx;
  const own = await readOwnPrices(db, actor.id);
  const [months, owed] = await Promise.all([
    readMonths(db, actor.id, periodOf(ctx, query), own),
    readDebts(db, actor.id),
  ]);
  const { currency, credit_minor } = own;
  return { currency, credit_minor, months, owed } satisfies Reply<typeof contract.readBook>;
};

const columns = ['month', 'plan', 'currency', 'taken_minor', 'payments', 'owed_minor', 'credits'];

export const bookCsv: Action<typeof contract.bookCsv> = async (ctx, { query }) => {
  const { db, actor } = ctx;
  ctx.saveAs(`book-${ctx.today()}.csv`);
  const own = await readOwnPrices(db, actor.id);
  const months = await readMonths(db, actor.id, periodOf(ctx, query), own);
  const rows = months.flatMap(({ month, plans }) =>
    plans.flatMap(({ plan, amounts, credits }) => {
      const [first = null, ...others] = amounts;
      // Credits have no currency. So if a plan has rows in several currencies, only its first row shows them.
      return [first, ...others].map((one, index) => [
        month,
        plan,
        one?.currency ?? null,
        one?.taken_minor ?? 0,
        one?.payments ?? 0,
        one?.owed_minor ?? 0,
        index === 0 ? credits : 0,
      ]);
    }),
  );
  return (async function* () {
    yield csvHead(columns);
    yield csvRows(rows);
  })();
};
