import { createHash } from 'node:crypto';
import { SOON_DAYS } from '@linekeeper/contract/dashboard.ts';
import { addDays, type Day } from '@linekeeper/contract/dates.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { FIRST_TRY_DAYS } from '@linekeeper/contract/lines/auto-renewal.ts';
import * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { transact } from '../../../db/transaction.ts';
import { readAccount } from '../../../domain/accounts/accounts.ts';
import type { SignedIn } from '../../../domain/context/access.ts';
import { type Ctx, ctxOfAccount, type Services } from '../../../domain/context/context.ts';
import {
  linesToRenew,
  readKeptCredits,
  readLackingRenewals,
} from '../../../domain/lines/auto-renewals.ts';
import { notify } from '../../../domain/notices/notify.ts';
import { runUseCase } from '../../../domain/use-cases/run-use-case.ts';
import { type Mutation, route } from '../../../domain/use-cases/use-case.ts';
import { catchRefusal, fail, Refusal } from '../../../platform/errors/refusal.ts';
import type { CommittedChange } from '../change/committed-change.ts';
import { renewLine } from '../change/renew-line.ts';

/**
 * A renewal by the owner, for a line that still renews itself. Throws LINE_CHANGED_SINCE if it no longer does, and
 * INSUFFICIENT_CREDITS if less would be left than the account keeps.
 */
const renewAutomatically: Mutation<typeof contract.renewLine, CommittedChange> = {
  ...renewLine,
  commit: async (tx, ctx, input, prepared) => {
    const renewed = await renewLine.commit(tx, ctx, input, prepared);
    if (!('line' in renewed)) return renewed;
    const { line, cost, credits } = renewed;
    const isWanted = line.auto_renew_months === input.body.subscription_months;
    if (!isWanted || line.suspension || line.owner_id !== ctx.actor.id) fail('LINE_CHANGED_SINCE');
    const kept = cost > 0 ? await readKeptCredits(tx, ctx.actor.id) : 0;
    if (credits < kept) fail('INSUFFICIENT_CREDITS');
    return renewed;
  },
};

const renewal = route(contract.renewLine, renewAutomatically);

interface DueLine {
  id: string;
  username: string;
  expiry_date: Day;
  months: number | null;
}

/** One renewal of a line for each of its last days, however often it is tried. */
const keyOf = ({ id, expiry_date }: DueLine) => `auto:${id}:${expiry_date}`;

async function renewOne(ctx: Ctx, line: DueLine): Promise<void> {
  const { id, expiry_date, months } = line;
  const body = { subscription_months: months ?? undefined, from_expiry_date: expiry_date };
  const input = { params: { id }, query: undefined, body };
  await runUseCase(renewal, ctx, input as Parsed<typeof contract.renewLine>, {
    account_id: ctx.actor.id,
    endpoint: contract.renewLine.name,
    key: keyOf(line),
    body_hash: createHash('sha256').update(JSON.stringify(input)).digest('base64'),
  });
}

/** Reasons of a refused renewal that its owner can do something about. */
const reasons = {
  INSUFFICIENT_CREDITS: 'credits',
  INVALID_SUBSCRIPTION_MONTHS: 'term',
  ACCOUNT_ENDED: 'ended',
} as const;
type Reason = (typeof reasons)[keyof typeof reasons];

async function tellNotRenewed({ db, actor }: Ctx, line: DueLine, why: Reason): Promise<void> {
  const { id, username, expiry_date } = line;
  await transact(db, (tx) =>
    notify(tx, [
      {
        event: 'line_not_renewed',
        facts: { username, why },
        account_id: actor.id,
        link: `/users/edit/${id}`,
        said_once: `not renewed ${id} ${expiry_date} ${why}`,
      },
    ]),
  );
}

/** Renews the due lines of an account, the soonest expiry first, up to the first that its credits do not pay. */
async function renewOwn(ctx: Ctx, lines: readonly DueLine[], stopping: () => boolean) {
  for (const line of lines) {
    if (stopping()) return;
    const refused = await catchRefusal(() => renewOne(ctx, line));
    if (!(refused instanceof Refusal)) continue;
    const why = reasons[refused.body.code as keyof typeof reasons];
    if (why) await tellNotRenewed(ctx, line, why);
    if (why === 'credits') return;
  }
}

/** Notifies an account that its credits do not suffice for the automatic renewals of a week, once for each line they stop at. */
async function tellLacking({ db, actor }: Ctx, today: Day): Promise<void> {
  const lacking = await readLackingRenewals(db, actor, today);
  if (!lacking) return;
  const { needed, available, lines, first_line_id } = lacking;
  await transact(db, (tx) =>
    notify(tx, [
      {
        event: 'renewals_lack_credits',
        facts: { needed, available, lines },
        account_id: actor.id,
        link: '/payments/pricing',
        said_once: `renewals lack credits ${first_line_id} ${today.slice(0, 7)}`,
      },
    ]),
  );
}

async function readOwner({ db }: Services, id: string): Promise<SignedIn | null> {
  const columns = ['id', 'email', 'group_id', 'is_admin', 'banned'] as const;
  const account = await readAccount(db, 'id', id, columns);
  if (!account || account.banned) return null;
  // The permissions are read by each renewal, in its transaction.
  return { ...account, permissions: [] };
}

/**
 * Renews the lines with automatic renewal that are due, from the day before their last one. Each is renewed in the name
 * of its owner: a ban, a missing permission, a changed price and missing credits count as if the owner had renewed it
 * in the panel.
 */
export async function renewDue(
  services: Services,
  today: Day,
  stopping: () => boolean,
): Promise<void> {
  const lines = await linesToRenew(services.db, today, SOON_DAYS)
    .select(['users.id', 'users.username', 'users.expiry_date', 'users.owner_id'])
    .select('users.auto_renew_months as months')
    .execute();
  const lastDay = addDays(today, FIRST_TRY_DAYS);
  for (const [owner_id, own] of Map.groupBy(lines, (line) => line.owner_id)) {
    const owner = await readOwner(services, owner_id);
    if (!owner) continue;
    const ctx = ctxOfAccount(services, owner);
    const due = own.filter(({ expiry_date }) => expiry_date <= lastDay);
    await renewOwn(ctx, due, stopping);
    if (stopping()) return;
    await tellLacking(ctx, today);
  }
}
