import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { id, moment, serverId, userId } from './fields.ts';
import { lineChanges } from './line-changes.ts';
import { isOneRenewalTerm, renewalTerm } from './line-fields.ts';
import { lineStatuses, syncStates } from './lines.ts';

/** Lines of one job at most. */
export const MAX_BULK_LINES = 10_000;
/** Rows of one import at most: it is one transaction. */
export const MAX_IMPORT_ROWS = 1000;
/** How long after its end a job may be undone, credits included. */
export const UNDO_MINUTES = 60;
/** More than a spreadsheet can have. */
const MAX_ROW_NUMBER = 10_000_000;
const MAX_BODY_BYTES = 2 * 1024 * 1024;

export const bulkActions = ['renew', 'edit', 'move', 'delete', 'export', 'import'] as const;
export type BulkAction = (typeof bulkActions)[number];
export const jobStates = ['preview', 'queued', 'running', 'done', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];
export const jobItemStates = ['waiting', 'done', 'failed', 'skipped'] as const;
export type JobItemState = (typeof jobItemStates)[number];

/** One line of a job: what is, or was, done to it, or why not. */
export const jobItem = z.object({
  /** From 1: the row of a file, or the place in the selection. */
  position: z.number().int(),
  line_id: z.string().nullable(),
  username: z.string(),
  state: z.enum(jobItemStates),
  /** Credits paid; in a preview, to be paid. */
  cost: z.number().int(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      data: z.record(z.string(), z.unknown()),
      /** The field of an import's row that is wrong. */
      field: z.string().nullable(),
    })
    .nullable(),
  /** Whether the line's server has taken it; null where nothing was done or the line is gone. */
  sync_state: z.enum(syncStates).nullable(),
  /** Why the server has not. */
  sync_message: z.string().nullable(),
});
export type JobItem = z.output<typeof jobItem>;

export const job = z
  .object({
    /** null: a preview, of which nothing is stored. */
    id: z.string().nullable(),
    action: z.enum([...bulkActions, 'undo']),
    /** What was asked for beside the lines: months, notes, a server …; of an import nothing. */
    term: z.record(z.string(), z.unknown()),
    state: z.enum(jobStates),
    total: z.number().int(),
    done: z.number().int(),
    failed: z.number().int(),
    skipped: z.number().int(),
    /** Of those done, lines their servers have failed to take so far. */
    not_synced: z.number().int(),
    /** Credits paid by all of it (negative: given back); in a preview, to be paid. */
    cost: z.number().int(),
    /** The balance now, and in a preview after it. */
    credits: z.number().int(),
    credits_after: z.number().int(),
    undo_of: z.string().nullable(),
    /** The job that took this one back. */
    undone_by: z.string().nullable(),
    can_undo: z.boolean(),
    created_at: moment.nullable(),
    finished_at: moment.nullable(),
    items: z.array(jobItem),
  })
  .meta({ id: 'Job' });
export type Job = z.output<typeof job>;

/** Strict: a name that is misspelt would stand for all lines. */
const lineFilter = z.strictObject(
  {
    q: z.string().trim().max(100).optional(),
    status: z.enum(lineStatuses).optional(),
    server_id: serverId.optional(),
    owner_id: userId.optional(),
    is_trial: z.boolean().optional(),
    expires_within: z.int().min(0).max(36_500).optional(),
    sync_state: z.enum(syncStates).optional(),
  },
  { error: 'INVALID_VALUE' },
);

const selection = {
  ids: z
    .array(userId)
    .min(1, { error: 'NOTHING_SELECTED' })
    .max(MAX_BULK_LINES, { error: 'TOO_MANY_LINES' })
    .optional(),
  filter: lineFilter.optional(),
  preview: z.boolean().default(false),
};

const importRow = z.record(z.string(), z.unknown());

const { notes, status } = lineChanges.shape;

/** Either the lines themselves or what finds them; an import brings its own. */
export const bulkRequest = z
  .discriminatedUnion('action', [
    z.object({ action: z.literal('renew'), ...selection, ...renewalTerm }),
    z.object({ action: z.literal('edit'), ...selection, notes, status }),
    z.object({
      action: z.literal('move'),
      ...selection,
      server_id: serverId.optional(),
      owner_id: userId.optional(),
    }),
    z.object({ action: z.literal('delete'), ...selection }),
    z.object({ action: z.literal('export'), ...selection }),
    z.object({
      action: z.literal('import'),
      preview: z.boolean().default(false),
      /** Fields of a new line by name, as they stand in the file. */
      rows: z
        .array(importRow)
        .min(1, { error: 'NOTHING_SELECTED' })
        .max(MAX_IMPORT_ROWS, { error: 'TOO_MANY_LINES' }),
      /** Where each row stands in the file, which may have headings and empty rows; else from 1. */
      row_numbers: z.array(z.int().min(1).max(MAX_ROW_NUMBER)).max(MAX_IMPORT_ROWS).optional(),
      /** Leaves out what is invalid; without it one invalid row stops all of them. */
      only_valid: z.boolean().default(false),
    }),
  ])
  .superRefine((request, check) => {
    const refuse = (field: string, message: string) =>
      check.addIssue({ code: 'custom', path: [field], message });
    if (request.action === 'import') return;
    if ((request.ids === undefined) === (request.filter === undefined)) {
      refuse('ids', 'NOTHING_SELECTED');
    }
    if (request.action === 'renew' && !isOneRenewalTerm(request)) {
      refuse('subscription_months', 'MONTHS_OR_DATE');
    }
    if (request.action === 'edit' && request.notes === undefined && request.status === undefined) {
      refuse('notes', 'REQUIRED');
    }
    if (
      request.action === 'move' &&
      request.server_id === undefined &&
      request.owner_id === undefined
    ) {
      refuse('server_id', 'REQUIRED');
    }
  });
export type BulkRequest = z.output<typeof bulkRequest>;

export const bulkLines = endpoint({
  name: 'bulkLines',
  method: 'POST',
  path: '/api/lines/bulk',
  summary: 'Do one thing to many lines: a preview, or a job that goes on by itself',
  access: ['view_users'],
  body: bulkRequest,
  maxBodyBytes: MAX_BODY_BYTES,
  output: z.object({ job }),
  needsIdempotencyKey: true,
  databaseErrorCode: 'CREDITS_NOT_DEDUCTED',
  errors: [
    'NOTHING_SELECTED',
    'NOTHING_TO_DO',
    'TOO_MANY_LINES',
    'INSUFFICIENT_CREDITS',
    'IMPORT_HAS_INVALID_ROWS',
    'SERVER_NOT_FOUND',
    'NO_ACTIVE_CCCAM_SERVERS',
    'USER_NOT_FOUND',
    'ADMIN_ONLY_FIELD',
  ],
});

const params = z.object({ id: id('JOB_NOT_FOUND') });

export const listJobs = endpoint({
  name: 'listJobs',
  method: 'GET',
  path: '/api/jobs',
  summary: 'The own jobs of the last days without their items, newest first',
  access: ['view_users'],
  output: z.object({ items: z.array(job) }),
});

export const getJob = endpoint({
  name: 'getJob',
  method: 'GET',
  path: '/api/jobs/{id}',
  summary: 'How far a job is, and what became of each line',
  access: ['view_users'],
  params,
  /** failed: also what was done and its server has failed to take. */
  query: z.object({ items: z.enum(['all', 'failed', 'none']).default('all') }),
  output: job,
  errors: ['JOB_NOT_FOUND'],
});

export const cancelJob = endpoint({
  name: 'cancelJob',
  method: 'POST',
  path: '/api/jobs/{id}/cancel',
  summary: 'Stop before the next line; what is done stays',
  access: ['view_users'],
  params,
  output: z.object({ job }),
  errors: ['JOB_NOT_FOUND', 'JOB_HAS_ENDED'],
});

export const undoJob = endpoint({
  name: 'undoJob',
  method: 'POST',
  path: '/api/jobs/{id}/undo',
  summary: 'Put back what a job changed and refund it, by a job of its own',
  access: ['view_users'],
  params,
  output: z.object({ job }),
  errors: ['JOB_NOT_FOUND', 'CANNOT_UNDO'],
});

export const jobCsv = endpoint({
  name: 'jobCsv',
  method: 'GET',
  path: '/api/jobs/{id}/csv',
  summary: 'The result as CSV: of an export the lines, else each line and what became of it',
  access: ['view_users'],
  params,
  output: z.string(),
  contentType: 'text/csv',
  errors: ['JOB_NOT_FOUND'],
});
