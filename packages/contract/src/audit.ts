import * as z from 'zod';
import { endpoint, entity } from './endpoint.ts';
import { moment } from './fields/fields.ts';
import { auditActions } from './lists/audit-actions.ts';
import { auditSubjects } from './lists/audit-subjects.ts';
import { choiceFilter, csvOf, listOf } from './lists/list.ts';
import { auditList } from './lists/lists.ts';

/**
 * The facts of an act, in addition to its fields: months, the expiry (a day or a moment), cost, credits (of each code,
 * if `count` is a number of codes), number of lines, redeemed code and reason.
 */
export const actFacts = z.object({
  months: z.number().int().nullable(),
  until: z.string().nullable(),
  cost: z.number().int().nullable(),
  credits: z.number().int().nullable(),
  count: z.number().int().nullable(),
  lines: z.number().int().nullable(),
  code: z.string().nullable(),
  label: z.string().nullable(),
  reason: z.string().nullable(),
});
export type ActFacts = z.output<typeof actFacts>;

const fields = z.record(z.string(), z.unknown());

/** An entry of the audit log. `before` and `after` contain the changed fields, never secrets. */
const auditEntry = entity('AuditEntry', {
  id: z.string(),
  created_at: moment,
  /** The actor is null if the panel acted on its own. */
  actor_id: z.string().nullable(),
  actor_name: z.string().nullable(),
  /** An action of `auditActions`, or an action of another version. */
  action: z.string(),
  subject_type: z.enum(auditSubjects),
  subject_id: z.string(),
  /** The subject's current name, or its last one; null if it has none. */
  subject_name: z.string().nullable(),
  subject_exists: z.boolean(),
  before: fields.nullable(),
  after: fields.nullable(),
  data: fields,
  /** Names, by id, of the accounts, servers and articles that the fields name and that still exist. */
  names: z.record(z.string(), z.string()),
  facts: actFacts,
  address: z.string().nullable(),
  request_id: z.string().nullable(),
});
export type AuditEntry = z.output<typeof auditEntry>;

/** The list with the actions that its filter accepts. */
const listed = {
  ...auditList,
  filters: { ...auditList.filters, action: choiceFilter('action', auditActions) },
};

export const listAudit = endpoint('listAudit', 'GET /api/audit', {
  summary: 'List the audit log',
  description:
    'Lists who changed what, newest first. `q` searches names of accounts, lines and servers, the address, and the ids of request and subject.',
  access: 'admin',
  ...listOf(listed, auditEntry),
});

export const auditCsv = endpoint('auditCsv', 'GET /api/audit/csv', {
  summary: 'Download the filtered audit log as CSV',
  description: 'Downloads the entries that `listAudit` lists, without pages.',
  access: 'admin',
  ...csvOf(listed),
});

const sealState = entity('SealState', {
  ok: z.boolean(),
  /** Rows that were altered, removed or inserted, and broken seals. */
  faults: z.number().int(),
  /** Time when the seals were last verified; null if they never were. */
  checked_at: moment.nullable(),
});
export type SealState = z.output<typeof sealState>;

export const getSealState = endpoint('getSealState', 'GET /api/audit/seals', {
  summary: 'Get the result of the last check of all seals',
  description: 'Returns what the last check found. All seals are checked once a day.',
  access: 'admin',
  output: sealState,
});

export const checkSeals = endpoint('checkSeals', 'POST /api/audit/seals/check', {
  hasLongStatements: true,
  summary: 'Check all seals now',
  description: 'Checks the seals of all transfers and audit entries, and returns what it found.',
  access: 'admin',
  output: sealState,
});
