import * as z from 'zod';
import { csvReply, endpoint, entity, ofRecord } from '../endpoint.ts';
import { invalid, moment, numberInQuery, planId, serverId, userId } from '../fields/fields.ts';
import { lineDetailsWith } from '../fields/line-details.ts';
import {
  duration,
  isMonthsOrDate,
  mayShorten,
  quotedCost,
  statusNotSuspended,
} from '../fields/line-fields.ts';
import { optionalFinding } from '../findings.ts';
import { syncStates } from '../lists/lists.ts';
import { dateOrders, MAX_BULK_MB, MAX_IMPORT_ROWS, stateChoices } from './import-limits.ts';
import { lineChanges, suspensionReason } from './line-changes.ts';
import { lineFilter } from './lines.ts';

export const MAX_BULK_LINES = 10_000;
/** Minutes after its end in which a job can be undone, including its credits. */
export const UNDO_MINUTES = 60;
/** The most days that can be given to lines in one job: more than any outage lasts. */
export const MAX_MORE_DAYS = 366;
/** Kinds of lines that get days only on request; trials also get months only on request. */
export const optInKinds = ['expired', 'suspended', 'trial'] as const;
export type OptInKind = (typeof optInKinds)[number];
/** The highest row number, above the limit of any spreadsheet. */
const MAX_ROW_NUMBER = 10_000_000;

const bulkActions = [
  'renew',
  'edit',
  'move',
  'suspend',
  'resume',
  'change_plan',
  'delete',
  'export',
  'import',
] as const;
export type BulkAction = (typeof bulkActions)[number];
const jobItemStates = ['waiting', 'done', 'failed', 'skipped'] as const;
export type JobItemState = (typeof jobItemStates)[number];

/** One line of a job, with its planned or actual result. */
export const jobItem = z.object({
  /** Number from 1 on: the row in the file, or the position in the selection. */
  position: z.number().int(),
  line_id: z.string().nullable(),
  username: z.string(),
  state: z.enum(jobItemStates),
  /** Credits paid; in a preview, credits that would be paid. */
  cost: z.number().int(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  /** Email of the owner in `after`; null if there is none, and for readers who are not administrators. */
  owner_email: z.string().nullable(),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      data: z.record(z.string(), z.unknown()),
      /** The invalid field of an import row. */
      field: z.string().nullable(),
    })
    .nullable(),
  /** Sync state on the line's server; null if nothing was done or the line was deleted. */
  sync_state: z.enum(syncStates).nullable(),
  sync_message: z.string().nullable(),
  sync_finding: optionalFinding,
});
export type JobItem = z.output<typeof jobItem>;

export const job = entity('Job', {
  /** The job's id; null in a preview, which is not stored. */
  id: z.string().nullable(),
  /**
   * The action. `sell`: the sale of one line. `readdress`: lines whose address changed with that of their server.
   * `edit_plan`: lines that are delivered again, because their plan has changed.
   */
  action: z.enum([...bulkActions, 'sell', 'readdress', 'edit_plan', 'undo']),
  /**
   * The parameters of the action (months, notes, server …). An import has `existing` if it extends lines and `adopt` if
   * it adopts them, and an undo has the action that it undoes.
   */
  arguments: z.record(z.string(), z.unknown()),
  state: z.enum(['preview', 'queued', 'running', 'done', 'cancelled']),
  total: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
  /**
   * Username of the line, if the job has only one; `line_id` is its id, and `expiry_date` its new
   * expiry date if that changes.
   */
  username: z.string().nullable(),
  line_id: z.string().nullable(),
  expiry_date: z.string().nullable(),
  /** Lines among `done` whose servers failed to apply the job's change. Later changes by others do not count. */
  not_synced: z.number().int(),
  /** Lines among `done` whose servers have neither accepted the job's change nor failed to apply it. */
  pending: z.number().int(),
  waits_on: z.array(z.string()),
  to_tell: z.number().int(),
  /** Total credits paid, negative if refunded; in a preview, the total that would be paid. */
  cost: z.number().int(),
  /** The current balance. In a preview, `credits_after` is the balance that would remain. */
  credits: z.number().int(),
  credits_after: z.number().int(),
  kinds: z.record(z.enum(optInKinds), z.number().int()).nullable(),
  of_others: z.array(
    z.object({ account_id: z.string(), name: z.string(), lines: z.number().int() }),
  ),
  undo_of: z.string().nullable(),
  undone_by: z.string().nullable(),
  can_undo: z.boolean(),
  created_at: moment.nullable(),
  finished_at: moment.nullable(),
  items: z.array(jobItem),
});
export type Job = z.output<typeof job>;

const selection = {
  ids: z
    .array(userId)
    .min(1, { error: 'NOTHING_SELECTED' })
    .max(MAX_BULK_LINES, { error: 'TOO_MANY_LINES' })
    .optional(),
  filter: lineFilter.optional(),
  preview: z.boolean().default(false),
};

/** Days that an administrator gives each line free of charge, such as those of an outage. */
const moreDays = z.int(invalid).min(1, invalid).max(MAX_MORE_DAYS, invalid);

const importRow = z.record(z.string(), z.unknown());

/** Fields that many lines can share: all except names, passwords, days, servers and owners. */
export const bulkEditFields = [
  ...lineDetailsWith('group', 'notes'),
  'protocol',
  'host_port',
  ...lineDetailsWith('group', 'customer'),
  ...lineDetailsWith('group', 'technical'),
] as const;
export type BulkEditField = (typeof bulkEditFields)[number];

const editable = {
  ...lineChanges.pick(
    Object.fromEntries(bulkEditFields.map((field) => [field, true])) as Record<BulkEditField, true>,
  ).shape,
  status: statusNotSuspended.optional(),
};

/** Selects lines by `ids` or by `filter`, never both; an import carries its own rows instead. */
export const bulkRequest = z
  .discriminatedUnion('action', [
    z.object({
      action: z.literal('renew'),
      ...selection,
      ...duration,
      may_shorten: mayShorten,
      days: moreDays.optional(),
      quoted_cost: quotedCost,
      include: z.array(z.enum(optInKinds, invalid)).max(optInKinds.length).optional(),
    }),
    z.object({ action: z.literal('edit'), ...selection, ...editable }),
    z.object({
      action: z.literal('move'),
      ...selection,
      server_id: serverId.optional(),
      owner_id: userId.optional(),
    }),
    z.object({ action: z.literal('suspend'), ...selection, reason: suspensionReason }),
    z.object({ action: z.literal('resume'), ...selection, reason: suspensionReason }),
    z.object({
      action: z.literal('change_plan'),
      ...selection,
      plan_id: planId,
      server_id: serverId.optional(),
      quoted_cost: z.int(invalid).optional(),
    }),
    z.object({ action: z.literal('delete'), ...selection }),
    z.object({ action: z.literal('export'), ...selection }),
    z.object({
      action: z.literal('import'),
      preview: z.boolean().default(false),
      rows: z
        .array(importRow)
        .min(1, { error: 'NOTHING_SELECTED' })
        .max(MAX_IMPORT_ROWS, { error: 'TOO_MANY_LINES' }),
      row_numbers: z.array(z.int().min(1).max(MAX_ROW_NUMBER)).max(MAX_IMPORT_ROWS).optional(),
      only_valid: z.boolean().default(false),
      quoted_cost: quotedCost,
      /**
       * What happens to a row with the username of an existing line: it is refused, or renews that line by its months,
       * at the price of a renewal and without any other change.
       */
      existing: z.enum(['refuse', 'extend'], invalid).default('refuse'),
      states: z.record(z.string().max(100), z.enum(stateChoices, invalid)).default({}),
      date_order: z.enum(dateOrders, invalid).default('none'),
      adopt: z.boolean().default(false),
    }),
  ])
  .superRefine((request, check) => {
    const refuse = (field: string, message: string) =>
      check.addIssue({ code: 'custom', path: [field], message });
    if (request.action === 'import') return;
    if ((request.ids === undefined) === (request.filter === undefined)) {
      refuse('ids', 'NOTHING_SELECTED');
    }
    if (request.action === 'renew') {
      const isDays = request.days !== undefined;
      const { subscription_months, expiry_date } = request;
      const isOther = subscription_months !== undefined || expiry_date !== undefined;
      if (isDays ? isOther : !isMonthsOrDate(request)) {
        refuse('subscription_months', 'MONTHS_OR_DATE');
      }
      if (!isDays && request.include?.some((kind) => kind !== 'trial')) {
        refuse('include', 'INVALID_VALUE');
      }
    }
    if (request.action === 'edit') {
      const given: Record<string, unknown> = request;
      const isGiven = [...bulkEditFields, 'status'].some((field) => given[field] !== undefined);
      if (!isGiven) refuse('notes', 'REQUIRED');
    }
    // Without these fields a preview returns the lines' present servers, for the choice of a server.
    if (
      request.action === 'move' &&
      !request.preview &&
      request.server_id === undefined &&
      request.owner_id === undefined
    ) {
      refuse('server_id', 'REQUIRED');
    }
  });
export type BulkRequest = z.output<typeof bulkRequest>;

export const bulkLines = endpoint('bulkLines', 'POST /api/lines/bulk', {
  hasLongStatements: true,
  summary: 'Preview or start work on many lines',
  description:
    'Starts a job that continues in the background. With `preview` it stores nothing and returns the outcome.',
  access: ['view_users'],
  body: bulkRequest,
  maxBodyBytes: MAX_BULK_MB * 1024 * 1024,
  output: z.object({ job }),
  needsIdempotencyKey: true,
  databaseErrorCode: 'CREDITS_NOT_DEDUCTED',
  errors: [
    'QUOTE_CHANGED',
    'ACCOUNT_ENDED',
    'DELETING_NOT_ALLOWED',
    'NOTHING_SELECTED',
    'NOTHING_TO_DO',
    'TOO_MANY_LINES',
    'INSUFFICIENT_CREDITS',
    'IMPORT_HAS_INVALID_ROWS',
    'DAILY_LIMIT_REACHED',
    'SERVER_NOT_FOUND',
    'SERVER_NOT_OF_PLAN',
    'PLAN_NOT_FOUND',
    'PLAN_NOT_OFFERED',
    'NO_ACTIVE_SERVERS',
    'NO_SERVER_TAKES_LINES',
    'NO_ACTIVE_CCCAM_SERVERS',
    'SERVER_CLOSED',
    'SERVER_FULL',
    'USER_NOT_FOUND',
    'ADMIN_ONLY_FIELD',
  ],
});

/** Options that calls about one job share. */
export const ofJob = ofRecord(['view_users'], 'JOB_NOT_FOUND');

export const listJobs = endpoint('listJobs', 'GET /api/jobs', {
  summary: 'List your jobs, sales and renewals of the last days',
  description: 'Lists them newest first, without their items.',
  access: ['view_users'],
  output: z.object({ items: z.array(job) }),
});

export const getJob = endpoint('getJob', 'GET /api/jobs/{id}', {
  ...ofJob,
  summary: 'Get the progress and results of a job',
  description:
    'Returns the job with at most 10,000 of its lines. Use `after` to get the next ones.',
  query: z.object({
    /** `failed` also includes lines whose change is stored here but that their server has failed to apply. */
    items: z.enum(['all', 'failed', 'none']).default('all'),
    after: numberInQuery(0, MAX_ROW_NUMBER).optional(),
  }),
  output: job,
});

export const cancelJob = endpoint('cancelJob', 'POST /api/jobs/{id}/cancel', {
  ...ofJob,
  summary: 'Cancel a job',
  description:
    'Stops the job after the lines that it has begun: at most twenty, or a thousand of an import. Lines that have been changed are not reverted.',
  output: z.object({ job }),
  errors: ['JOB_HAS_ENDED', 'JOB_STAYS'],
});

export const undoJob = endpoint('undoJob', 'POST /api/jobs/{id}/undo', {
  ...ofJob,
  hasLongStatements: true,
  summary: 'Undo a job',
  description:
    'Starts a job that restores what the first one changed and refunds its full price. Lines whose sale or renewal had reached their servers count towards a daily limit.',
  output: z.object({ job }),
  errors: ['CANNOT_UNDO', 'LINE_CHANGED_SINCE', 'UNDO_LIMIT_REACHED', 'DAILY_LIMIT_REACHED'],
});

export const jobCsv = endpoint('jobCsv', 'GET /api/jobs/{id}/csv', {
  ...csvReply,
  ...ofJob,
  summary: 'Download the result of a job as CSV',
  description:
    'Downloads the lines of an export. For other jobs it downloads each line with its result, those that were skipped or failed, or the customers who must change an address.',
  query: z.object({ list: z.enum(['results', 'refused', 'customers']).default('results') }),
});
