import type { ActFacts } from '@linekeeper/contract/audit.ts';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { AuditLogTable } from '../../db/schema/append-only-schema.ts';
import type { Db } from '../../db/transaction.ts';
import type { Scope } from '../context/access.ts';

type Row = Pick<Selectable<AuditLogTable>, 'action' | 'before' | 'after' | 'data'>;

export const noFacts: ActFacts = {
  months: null,
  until: null,
  cost: null,
  credits: null,
  count: null,
  lines: null,
  code: null,
  label: null,
  reason: null,
};

const numberOf = (...values: unknown[]) =>
  (values.find((value) => typeof value === 'number') as number | undefined) ?? null;
const textOf = (...values: unknown[]) =>
  (values.find((value) => typeof value === 'string' && value !== '') as string | undefined) ?? null;

/** How many credits came or went, where the balance itself is what changed. */
function movedCredits({ action, before, after }: Row): number | null {
  const [was, is] = [before?.credits, after?.credits];
  const isBalance = action.startsWith('credits.');
  return isBalance && typeof was === 'number' && typeof is === 'number' ? is - was : null;
}

/** Reads from an entry what it was about. */
export function factsOf(row: Row, codes: ReadonlyMap<string, string>): ActFacts {
  const { action, before, after } = row;
  const data = row.data as Record<string, unknown>;
  const isCodes = typeof data.count === 'number';
  const isNew = action === 'line.create' || action === 'line.import';
  const isDelete = after === null && before !== null;
  return {
    months: numberOf(data.months, isNew ? after?.subscription_months : null),
    until: textOf(after?.expiry_date, after?.expires_at, data.expires_at),
    cost: numberOf(data.cost) || null,
    credits:
      movedCredits(row) ??
      (action.startsWith('credits.')
        ? null
        : numberOf(after?.credits, data.credits, isDelete ? before?.credits : null) || null),
    count: numberOf(data.count),
    lines: numberOf(data.suspended_lines, data.resumed_lines, data.moved, data.retried),
    code: codes.get(textOf(data.transfer_id) ?? '') ?? textOf(data.code),
    label: isCodes || action.startsWith('code.') ? textOf(after?.description) : null,
    reason: textOf(data.reason, after?.reason),
  };
}

/** Reader of codes: of its own, or of all. */
type CodeReader = Pick<Scope, 'account_id' | 'sees_all'>;

/**
 * True for a redemption of a code with such a text that the reader may read. The array is read once, so that
 * the index of redemptions finds their entries.
 */
export const isOfCode = ({ account_id, sees_all }: CodeReader, pattern: string) => sql<SqlBool>`(
  action = 'credits.redeem' and data ->> 'transfer_id' = any(array(
    select transfer_id::text from redeem_code_history where code ilike ${pattern}
      and (${sees_all} or user_id::text = ${account_id}))))`;

/**
 * Texts of the codes that were redeemed, by transfer. Codes, which others could redeem too, are for who
 * redeemed them and administrators.
 */
export async function readRedeemedCodes(
  db: Db,
  reader: CodeReader,
  rows: Iterable<Row>,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...rows]
    .filter(({ action }) => action === 'credits.redeem')
    .flatMap(({ data }) => textOf((data as Record<string, unknown>).transfer_id) ?? []);
  if (ids.length === 0) return new Map();
  const found = await db
    .selectFrom('redeem_code_history')
    .select(['transfer_id', 'code'])
    .where(sql<SqlBool>`transfer_id = any(${ids}::uuid[])`)
    .where(sql<SqlBool>`(${reader.sees_all} or user_id::text = ${reader.account_id})`)
    .execute();
  return new Map(found.map(({ transfer_id, code }) => [transfer_id ?? '', code]));
}
