import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/transaction.ts';
import type { KeptDay } from '../change/change-row.ts';
import type { LockedLine } from '../change/locked-line.ts';

/** Length of a month whose days are paid for one by one. */
const DAYS_A_MONTH = 30;

/** Whole credits for days that were used. */
const daysKept = (days: number) => Math.ceil(Number(days.toFixed(6)));

type NamedLine = Pick<LockedLine, 'id' | 'server_id' | 'username' | 'suspension'>;

/**
 * Ids of the lines whose names were on their servers: put there for them, or still there from a line before
 * whose deletion has not come through.
 */
export async function findUsed(tx: Tx, lines: readonly NamedLine[]): Promise<Set<string>> {
  const named = lines.map(({ id, server_id, username, suspension }) => ({
    ...{ id, server_id, username, is_shown: suspension === null },
  }));
  const { rows } = await sql<{ id: string }>`
    select id from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as line (
        id uuid, server_id uuid, username text, is_shown boolean)
      where exists (select from line_pushes
          where line_pushes.line_id = line.id and operation = 'add' and ok)
        or is_shown and exists (select from server_accounts entry
          where entry.server_id = line.server_id and entry.username = line.username and on_server)
  `.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Credits that the undo of an import or a sale keeps for its lines, by their transfers. A day of each line that was on
 * its server is paid for; sold and taken back hour after hour, under one name or others, it would work
 * for nothing. The days of the whole undo are added up before they are rounded, each row's from what those
 * before it kept.
 */
export async function keepDays(
  tx: Tx,
  undo_id: string,
  transfer_ids: readonly string[],
): Promise<Map<string, KeptDay>> {
  const { rows: earlier } = await sql<{ days: number; kept: number }>`
    select coalesce(sum((input ->> 'day')::numeric), 0)::float8 as days,
        coalesce(sum((input ->> 'kept')::integer), 0)::integer as kept
      from job_items where job_id = ${undo_id} and state in ('done', 'waiting')`.execute(tx);
  const { rows: own } = await sql<{ id: string; amount: number; day: number }>`
    select paid.id, amount, (amount::numeric / (${DAYS_A_MONTH} * greatest(1, months)))::float8 as day
      from credit_transfers paid join sold_terms on transfer_id = paid.id
      where paid.id = any(${transfer_ids}::uuid[])`.execute(tx);
  const termOf = new Map(own.map(({ id, ...term }) => [id, term]));
  let { days, kept } = earlier[0] ?? { days: 0, kept: 0 };
  return new Map(
    transfer_ids.map((id) => {
      const { amount, day } = termOf.get(id) ?? { amount: 0, day: 0 };
      days += day;
      const keeps = Math.max(0, Math.min(amount, daysKept(days) - kept));
      kept += keeps;
      return [id, { day, kept: keeps }];
    }),
  );
}

/** SQL condition: the line's name was on its server, as `findUsed` says. */
const isUsed = sql<boolean>`(
  exists (select from line_pushes
    where line_pushes.line_id = line.id and operation = 'add' and ok)
  or suspension is null and exists (select from server_accounts entry
    where entry.server_id = line.server_id and entry.username = line.username and on_server))`;

/** Credits that undoing these jobs, which made lines, would give back now. */
export async function readRefunds(
  db: Db,
  job_ids: readonly string[],
): Promise<Map<string, number>> {
  if (job_ids.length === 0) return new Map();
  const { rows } = await sql<{ job_id: string; paid: number; days: number }>`
    select item.job_id, sum(amount)::integer as paid,
        coalesce(sum(amount::numeric / (${DAYS_A_MONTH} * greatest(1, months)))
          filter (where before is null and ${isUsed}), 0)::float8 as days
      from job_items item
        join users line on line.id = item.line_id
        join credit_transfers paid on paid.id = item.transfer_id
        join sold_terms term on term.transfer_id = paid.id
      where item.job_id = any(${job_ids}::uuid[]) and state = 'done'
        and (before is not null or line.updated_at = line.created_at)
        and not exists (select from credit_transfers given where given.refund_of = paid.id)
      group by item.job_id`.execute(db);
  const refunds = new Map(
    rows.map(({ job_id, paid, days }) => [job_id, Math.max(0, paid - daysKept(days))]),
  );
  return new Map(job_ids.map((id) => [id, refunds.get(id) ?? 0]));
}
