import type { ActivityEntry } from '@linekeeper/contract/activity.ts';
import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import type { AuditSubject } from '@linekeeper/contract/lists/audit-actions.ts';
import type { Selectable } from 'kysely';
import type {
  AuditLogTable,
  CreditTransfersTable,
  LinePushesTable,
} from '../../db/schema/append-only-schema.ts';
import { factsOf, noFacts } from '../../domain/audit/act-facts.ts';
import { lastNameOf } from '../../domain/audit/last-name.ts';
import type { RecordNames } from '../../domain/audit/record-names.ts';
import type { SubjectNames } from '../../domain/audit/subject-names.ts';
import { ISSUANCE, SALES } from '../../domain/credits/credits.ts';

export type AuditRow = Selectable<AuditLogTable>;
export type TransferRow = Selectable<CreditTransfersTable>;
export type PushRow = Selectable<LinePushesTable>;

/** Fields of an entry that name accounts and servers by id. */
export const accountFields = ['owner_id'];
export const serverFields = ['server_id'];

export const idOf = (value: unknown) => (typeof value === 'string' ? value : null);

const nothing = {
  changes: [],
  facts: noFacts,
  note: null,
  cost: null,
  transfer_id: null,
  transfer: null,
  push: null,
  address: null,
  request_id: null,
} satisfies Partial<ActivityEntry>;

export interface Telling {
  names: SubjectNames;
  /** Of groups, packages and so on; for administrators only. */
  records: RecordNames;
  codes: ReadonlyMap<string, string>;
  foreign: ReadonlySet<string>;
  isAdmin: boolean;
}

const accountNamed = ({ names }: Telling, id: string | null) => {
  const name = names.accounts.get(id ?? '')?.name ?? null;
  return { id: name === null ? null : id, name };
};

/**
 * A field's value, with names instead of ids; nothing about accounts that the reader may not see.
 */
function shownValue({ names }: Telling, field: string, value: unknown): unknown {
  const id = idOf(value);
  if (id && accountFields.includes(field)) return names.accounts.get(id)?.name ?? null;
  if (id && serverFields.includes(field)) return names.servers.get(id) ?? id;
  return value ?? null;
}

function changesOf(telling: Telling, { before, after, data }: AuditRow): ActivityEntry['changes'] {
  const fields = Object.keys({ ...before, ...after });
  const shown = fields.map((field) => ({
    field,
    before: shownValue(telling, field, before?.[field]),
    after: shownValue(telling, field, after?.[field]),
  }));
  // Of a password it is only known that it was changed.
  const { fields: given } = data as { fields?: unknown };
  const isNew = Array.isArray(given) && given.includes('password');
  return isNew ? [...shown, { field: 'password', before: null, after: null }] : shown;
}

export function tellAct(telling: Telling, row: AuditRow): Omit<ActivityEntry, 'id' | 'created_at'> {
  const { names, foreign, isAdmin } = telling;
  const { action, subject_type, subject_id } = row;
  const data = row.data as Record<string, unknown>;
  const isForeign = foreign.has(subject_id);
  const facts = isForeign ? noFacts : factsOf(row, telling.codes);
  const isSeveral = facts.count !== null;
  const current =
    names.lines.get(subject_id) ??
    names.accounts.get(subject_id)?.name ??
    names.servers.get(subject_id);
  const record = telling.records.get(subject_id);
  return {
    ...nothing,
    source: 'audit',
    action,
    actor: row.actor_id === null ? null : accountNamed(telling, row.actor_id),
    subject_type: subject_type as AuditSubject,
    subject_id: isForeign ? null : subject_id,
    subject_name: isForeign
      ? null
      : isSeveral
        ? facts.label
        : (current ?? record?.name ?? lastNameOf(row)),
    subject_exists: current !== undefined || record?.exists === true,
    changes: isForeign ? [] : changesOf(telling, row),
    facts,
    note: isForeign ? null : idOf(data.note),
    cost: typeof data.cost === 'number' && !isForeign ? data.cost : null,
    transfer_id: isForeign ? null : idOf(data.transfer_id),
    address: isAdmin ? row.address : null,
    request_id: isAdmin ? row.request_id : null,
  };
}

export function tellTransfer(
  telling: Telling,
  row: TransferRow,
  [owner, balance_after]: [string | null, number | null],
): Omit<ActivityEntry, 'id' | 'created_at'> {
  const { names } = telling;
  const isReceived = owner === row.to_id;
  const other = isReceived ? row.from_id : row.to_id;
  return {
    ...nothing,
    source: 'transfer',
    action: row.kind,
    actor: row.actor_id === null ? null : accountNamed(telling, row.actor_id),
    subject_type: row.line_id ? 'line' : 'account',
    subject_id: row.line_id ?? accountNamed(telling, owner).id,
    subject_name: row.username ?? accountNamed(telling, owner).name,
    subject_exists: row.line_id === null || names.lines.has(row.line_id),
    note: row.note,
    transfer_id: row.id,
    transfer: {
      amount: isReceived ? row.amount : -row.amount,
      balance_after,
      other: [ISSUANCE, SALES].includes(other) ? null : accountNamed(telling, other),
    },
  };
}

export function tellPush(
  { names }: Telling,
  row: PushRow,
): Omit<ActivityEntry, 'id' | 'created_at'> {
  const { ok, failures, took_ms } = row;
  return {
    ...nothing,
    source: 'push',
    action: row.operation,
    actor: null,
    subject_type: 'line',
    subject_id: row.line_id,
    subject_name: names.lines.get(row.line_id) ?? row.username,
    subject_exists: names.lines.has(row.line_id),
    push: {
      ok,
      failures,
      took_ms,
      server_name: names.servers.get(row.server_id) ?? null,
      ...findingWithMessage(row.finding),
    },
  };
}
