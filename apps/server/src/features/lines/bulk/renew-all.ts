import { type SqlBool, sql } from 'kysely';
import { lineScope, visibleTo } from '../../../core/access.ts';
import { auditAll } from '../../../core/audit.ts';
import { chargeAll } from '../../../core/credits.ts';
import { wantAllOnServers } from '../../../core/pushes.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { Changer } from '../extend-line.ts';
import { type ChangeableLine, changeableColumns } from '../locked-line.ts';
import type { Wish } from '../price.ts';
import type { Outcome, WaitingItem } from './job-items.ts';
import { attempt, itemError, type Plan, planRenewal } from './plan.ts';

interface Renewal extends Plan {
  position: number;
  line: ChangeableLine;
  /** With what the renewal makes of it. */
  renewed: ChangeableLine;
}

/** In the order of their ids, so that two of these never wait for each other. */
async function lockLines(
  tx: Tx,
  { actor }: Changer,
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

async function tellServers(tx: Tx, renewals: readonly Renewal[]): Promise<void> {
  const moved = renewals.filter(({ line, renewed }) => renewed.expiry_date !== line.expiry_date);
  if (moved.length === 0) return;
  await wantAllOnServers(
    tx,
    moved.map(({ renewed: { id, server_id, username, expiry_date } }) => ({
      server_id,
      username,
      wanted: { line_id: id, expiry_date },
      operation: 'renew',
    })),
  );
}

async function auditRenewals(
  tx: Tx,
  { actor }: Changer,
  renewals: readonly Renewal[],
): Promise<void> {
  if (!actor.is_admin) return;
  await auditAll(
    tx,
    renewals.map(({ line, renewed }) => ({
      actor_id: actor.id,
      action: 'line.renew',
      subject_type: 'line',
      subject_id: line.id,
      data: { username: line.username, from: line.expiry_date, to: renewed.expiry_date },
    })),
  );
}

/** Renews what can be renewed and says why the rest cannot. Throws where not all of it can be paid. */
export async function renewAll(
  tx: Tx,
  changer: Changer,
  items: readonly WaitingItem[],
  wish: Wish,
): Promise<Outcome[]> {
  const lines = await lockLines(tx, changer, items);
  const renewals: Renewal[] = [];
  const failed: Outcome[] = [];
  for (const { position, line_id } of items) {
    const line = lines.get(line_id ?? '');
    const plan = line && attempt(() => planRenewal(changer, line, wish));
    if (plan && !(plan instanceof Refusal)) {
      renewals.push({ ...plan, position, line, renewed: { ...line, ...plan.after } });
    } else {
      const error = plan ? itemError(plan) : { code: 'LINE_NOT_FOUND', data: {}, field: null };
      failed.push({ position, state: 'failed', error });
    }
  }
  if (renewals.length === 0) return failed;
  await updateLines(tx, renewals);
  const sales = renewals.map(({ cost, line: { id: line_id, username } }) => ({
    cost,
    line_id,
    username,
  }));
  const transfers = await chargeAll(tx, changer.actor, 'renewal', sales);
  await tellServers(tx, renewals);
  await auditRenewals(tx, changer, renewals);
  const done = renewals.map(({ position, line, before, after, cost }): Outcome => {
    const transfer_id = transfers.get(line.id) ?? null;
    return { position, state: 'done', before, after, cost, transfer_id };
  });
  return [...failed, ...done];
}
