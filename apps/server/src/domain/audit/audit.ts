import type { Endpoint, Parsed } from '@linekeeper/contract/endpoint.ts';
import type { AuditAction } from '@linekeeper/contract/lists/audit-actions.ts';
import type { AuditSubject } from '@linekeeper/contract/lists/audit-subjects.ts';
import { sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';
import type { Ctx } from '../context/context.ts';

export type Fields = Record<string, unknown>;

export interface AuditOrigin {
  actor_id: string | null;
  address: string | null;
  request_id: string | null;
}

/** The origin of acts that the panel itself makes, without a request: no account and no address. */
export const panelOrigin: AuditOrigin = { actor_id: null, address: null, request_id: null };

export function auditOriginOf({ signedIn, address, request_id }: AuditCtx): AuditOrigin {
  return { actor_id: signedIn?.id ?? null, address, request_id };
}
export type AuditCtx = Pick<Ctx, 'signedIn' | 'address' | 'request_id'>;

/** One act on one subject. Must not contain secrets. */
export interface AuditEntry {
  action: AuditAction;
  subject_type: AuditSubject;
  subject_id: string;
  before?: Fields | null;
  after?: Fields | null;
  data?: Fields;
}

/** Inserts entries given as JSON by `rowsOf`. */
export const insertingEntries = (rows: string) => sql`
    insert into audit_log
        (id, actor_id, action, subject_type, subject_id, data, before, after, address, request_id)
      select id, actor_id, action, subject_type, subject_id, data, before, after, address, request_id
      from jsonb_to_recordset(${rows}::jsonb) as entry (
        id uuid, actor_id uuid, action text, subject_type text, subject_id text, data jsonb,
        before jsonb, after jsonb, address text, request_id text)`;

const insertEntries = compiledQuery(['rows'], (_, { rows }) => insertingEntries(rows));

/** The rows of entries as JSON. */
export function rowsOf(origin: AuditOrigin, entries: readonly AuditEntry[]): string {
  const rows = entries.map(({ before = null, after = null, data = {}, ...entry }) => ({
    id: newId(),
    ...origin,
    ...entry,
    data,
    before,
    after,
  }));
  return JSON.stringify(rows);
}

export async function writeAudit(
  db: Db,
  origin: AuditOrigin,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length > 0) await insertEntries(db, { rows: rowsOf(origin, entries) });
}

/** Writes the entry of an act on one account. */
export const auditAccount = (
  db: Db,
  origin: AuditOrigin,
  action: AuditAction,
  subject_id: string,
  more: Pick<AuditEntry, 'before' | 'after' | 'data'> = {},
): Promise<void> =>
  writeAudit(db, origin, [{ action, subject_type: 'account', subject_id, ...more }]);

/** Writes the entry of an act on the panel as a whole. */
export const auditPanel = (
  db: Db,
  origin: AuditOrigin,
  action: AuditAction,
  data: Fields = {},
): Promise<void> =>
  writeAudit(db, origin, [{ action, subject_type: 'panel', subject_id: 'database', data }]);

/**
 * Runs the statement of `writeAudit` without an entry, if the time of a response must not reveal whether there is one.
 */
export async function writeNoAudit(db: Db): Promise<void> {
  await insertEntries(db, { rows: '[]' });
}

/** A type of object in audit entries, with the function that reads its state for them. */
export interface Subject {
  type: AuditSubject;
  /**
   * Reads the subject's state without secrets and locks it until the transaction ends; null if it
   * does not exist.
   */
  read?(tx: Tx, id: string): Promise<Fields | null>;
}

/** The audit entry of a use case, written in the transaction of its change. */
export interface Audited<E extends Endpoint, Result> {
  /** The reason why the act does not count towards the daily limit; absent if it does. */
  isUncounted?: string;
  action: AuditAction;
  subject: Subject;
  /** Id of the subject, which is read before the change; by default the id in the path. */
  of?(input: Parsed<E>, ctx: AuditCtx): string;
  /** Id of the subject that the change has created. Only its state after the change is read. */
  made?(result: Result): string;
  /** The state after the change, if the result has it; saves reading it again. */
  after?(result: Result, input: Parsed<E>): Fields | null;
  /** Additional data for the entry. */
  data?(input: Parsed<E>, result: Result): Fields;
}

interface States {
  before: Fields | null;
  after: Fields | null;
}

/**
 * The reason why a call is not audited, or why its `commit` writes the entries itself. An audited
 * call that is free of charge counts towards the daily limit, unless `isUncounted` gives a reason.
 */
export type NotAudited = { notAudited: string } | { auditsItself: string; isUncounted?: string };

/** Keeps only the fields that differ if both states exist. */
export function differing({ before, after }: States): States {
  if (!before || !after) return { before, after };
  const changed = Object.keys({ ...before, ...after }).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  const only = (all: Fields) =>
    Object.fromEntries(changed.map((field) => [field, all[field] ?? null]));
  return { before: only(before), after: only(after) };
}

/**
 * True for an edit that changes nothing. A field that no state shows, such as a password, counts as changed if it was
 * sent.
 */
function leavesAll(
  action: AuditAction,
  { before, after }: States,
  changed: States,
  sent: object,
): boolean {
  if (!action.endsWith('.edit') || !before || !after) return false;
  const isSame = Object.keys(changed.after ?? {}).length === 0;
  return isSame && Object.keys(sent).every((field) => field in before);
}

const idOfPath = ({ params }: Parsed<Endpoint>): string =>
  (params as { id?: string } | undefined)?.id ?? '';

/** Reads the subject before a change. The returned function makes the entry from the change's result. */
export async function beginEntry<E extends Endpoint, Result>(
  tx: Tx,
  ctx: AuditCtx,
  audited: Audited<E, Result> | NotAudited | undefined,
  input: Parsed<E>,
): Promise<(result: Result) => Promise<AuditEntry[]>> {
  if (!audited || !('action' in audited)) return async () => [];
  const { action, subject, made, of = idOfPath } = audited;
  const known_id = made ? null : of(input, ctx);
  const before = known_id === null ? null : ((await subject.read?.(tx, known_id)) ?? null);
  return async (result) => {
    const subject_id = known_id ?? made?.(result) ?? '';
    const after = audited.after
      ? audited.after(result, input)
      : ((await subject.read?.(tx, subject_id)) ?? null);
    const states = { before, after };
    const changed = differing(states);
    if (leavesAll(action, states, changed, input.body ?? {})) return [];
    const data = audited.data?.(input, result) ?? {};
    return [{ action, subject_type: subject.type, subject_id, ...changed, data }];
  };
}
