import { type SqlBool, sql } from 'kysely';
import type { Tx } from '../../../db/transaction.ts';
import { lineScope, visibleTo } from '../../../domain/context/access.ts';
import { chargeAll, type SoldTerm } from '../../../domain/credits/charge.ts';
import { settle } from '../../../domain/delivery/settle.ts';
import { catchRefusal, Refusal } from '../../../platform/errors/refusal.ts';
import { type ChangeableLine, changeableColumns } from '../change/locked-line.ts';
import type { BulkRenewal } from '../change/named-kinds.ts';
import { itemError, type Plan, planRenewal } from '../change/plan.ts';
import type { ActingAccount } from '../price/price.ts';
import type { Outcome, WaitingItem } from './job-items.ts';

export interface Renewal extends Plan {
  position: number;
  term: SoldTerm;
  line: ChangeableLine;
  /** The line after the renewal. */
  renewed: ChangeableLine;
}

/** Ordered by id, to avoid deadlocks. */
async function lockLines(
  tx: Tx,
  { actor }: ActingAccount,
  items: readonly WaitingItem[],
): Promise<Map<string, ChangeableLine>> {
  const ids = items.flatMap(({ line_id }) => line_id ?? []);
  const lines = await tx
    .selectFrom('users')
    .select(changeableColumns)
    .where(sql<SqlBool>`users.id = any(${ids}::uuid[])`)
    .where(visibleTo(lineScope(actor), 'users.owner_id'))
    .orderBy('users.id')
    .forUpdate()
    .execute();
  return new Map(lines.map((line) => [line.id, line]));
}

async function updateLines(tx: Tx, renewals: readonly Renewal[]): Promise<void> {
  const rows = renewals.map(({ renewed }) => renewed);
  await sql`
    update users set expiry_date = renewed.expiry_date, is_trial = renewed.is_trial,
        subscription_months = renewed.subscription_months, status = renewed.status,
        updated_at = now()
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as renewed (
        id uuid, expiry_date date, is_trial boolean, subscription_months integer, status jsonb)
      where users.id = renewed.id
  `.execute(tx);
}

/** Locks the lines and plans the renewal of each; returns the errors of those that cannot be renewed. */
export async function planRenewals<Item extends WaitingItem>(
  tx: Tx,
  acting: ActingAccount,
  items: readonly Item[],
  requestedBy: (item: Item) => BulkRenewal,
): Promise<{ renewals: Renewal[]; failed: Outcome[] }> {
  const lines = await lockLines(tx, acting, items);
  const renewals: Renewal[] = [];
  const failed: Outcome[] = [];
  for (const item of items) {
    const { position, line_id } = item;
    const requested = requestedBy(item);
    const line = lines.get(line_id ?? '');
    const planned = line && (await catchRefusal(() => planRenewal(tx, acting, line, requested)));
    if (planned && !(planned instanceof Refusal)) {
      const { plan, term } = planned;
      renewals.push({ ...plan, position, term, line, renewed: { ...line, ...plan.after } });
    } else {
      const error = planned
        ? itemError(planned)
        : { code: 'LINE_NOT_FOUND', data: {}, field: null };
      failed.push({ position, state: 'failed', error });
    }
  }
  return { renewals, failed };
}

/** Costs of the renewals, each to be paid for its line. */
export function renewalSales(renewals: readonly Renewal[]) {
  return renewals.map(({ cost, term, line: { id: line_id, username } }) => ({
    kind: 'renewal' as const,
    cost,
    line_id,
    username,
    term,
  }));
}

/** Stores renewals that are paid by these transfers, by the ids of their lines. */
export async function storeRenewals(
  tx: Tx,
  renewals: readonly Renewal[],
  transfers: ReadonlyMap<string, string>,
): Promise<Outcome[]> {
  if (renewals.length === 0) return [];
  await updateLines(tx, renewals);
  await settle(
    tx,
    renewals.map(({ line }) => line.id),
  );
  return renewals.map(({ position, line, before, after, cost }) => {
    const transfer_id = transfers.get(line.id) ?? null;
    return { position, state: 'done', before, after, cost, transfer_id };
  });
}

/**
 * Renews the lines that can be renewed; returns the errors of the others. Throws if the total
 * cannot be paid.
 */
export async function renewAll(
  tx: Tx,
  acting: ActingAccount,
  job_id: string,
  items: readonly WaitingItem[],
  requested: BulkRenewal,
): Promise<Outcome[]> {
  const { renewals, failed } = await planRenewals(tx, acting, items, () => requested);
  const transfers = await chargeAll(tx, acting.actor, job_id, renewalSales(renewals));
  return [...failed, ...(await storeRenewals(tx, renewals, transfers))];
}
