import * as z from 'zod';
import { actFacts } from './audit.ts';
import { endpoint, entity, listQuery, ofRecord, page } from './endpoint.ts';
import { moment, userId } from './fields/fields.ts';
import { optionalFinding } from './findings.ts';
import { auditSubjects } from './lists/audit-subjects.ts';
import { listOf } from './lists/list.ts';
import { activityList } from './lists/lists.ts';

/** An account by id and name; both are null if the reader may not see the account. */
const named = z.object({ id: z.string().nullable(), name: z.string().nullable() });

const change = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() });

/** A movement of credits. `amount` is signed from the side of the account whose balance is given. */
const moved = z.object({
  amount: z.number().int(),
  balance_after: z.number().int().nullable(),
  /** The other account; null for issuance and sales. */
  other: named.nullable(),
});

/** The first failure of a push, or its delivery. */
const pushed = z.object({
  ok: z.boolean(),
  server_name: z.string().nullable(),
  failures: z.number().int(),
  took_ms: z.number().int(),
  finding: optionalFinding,
  message: z.string().nullable(),
});

/**
 * One event in the activity of a line or an account, limited to what the reader may see. `action` is an audit action,
 * the kind of a transfer, or the operation of a push.
 */
const activityEntry = entity('ActivityEntry', {
  id: z.string(),
  source: z.enum(['audit', 'transfer', 'push']),
  created_at: moment,
  action: z.string(),
  actor: named.nullable(),
  subject_type: z.enum(auditSubjects),
  /** The id of the subject; null if the reader may not see it. */
  subject_id: z.string().nullable(),
  subject_name: z.string().nullable(),
  subject_exists: z.boolean(),
  changes: z.array(change),
  facts: actFacts,
  note: z.string().nullable(),
  cost: z.number().int().nullable(),
  transfer_id: z.string().nullable(),
  transfer: moved.nullable(),
  push: pushed.nullable(),
  /** The address of the request; for administrators only. */
  address: z.string().nullable(),
  request_id: z.string().nullable(),
});
export type ActivityEntry = z.output<typeof activityEntry>;

const query = listQuery(['created_at'], '-created_at', {}).omit({ q: true });

export const lineActivity = endpoint('lineActivity', 'GET /api/lines/{id}/activity', {
  ...ofRecord(['view_users'], 'LINE_NOT_FOUND'),
  summary: 'List the activity of a line',
  description: 'Lists changes, credits and deliveries, newest first.',
  query,
  output: page(activityEntry),
});

export const accountActivity = endpoint('accountActivity', 'GET /api/accounts/{id}/activity', {
  ...ofRecord(['add_credits', 'manage_resellers'], 'USER_NOT_FOUND', userId),
  summary: 'List the activity of an account',
  description:
    'Lists what the account did and what was done to it, newest first: changes, credits and deliveries. `q` searches names, notes and, for administrators, all recorded details.',
  ...listOf(activityList, activityEntry),
});
