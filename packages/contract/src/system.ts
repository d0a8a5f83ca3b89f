import * as z from 'zod';
import { endpoint, entity } from './endpoint.ts';
import { arrayOf, moment, STORABLE } from './fields/fields.ts';

/**
 * Findings of the reports on set-up and connection, with the exact English sentences. `{names}` and
 * `{reason}` are filled from the check's data; the web app translates by code.
 */
export const systemFindings = {
  MIGRATIONS_MISSING:
    'Unable to create ticket. The database is not properly set up. Migrations not applied: {names}',
  TABLES_MISSING: 'Database not set up properly. Tables not created: {names}',
  FUNCTIONS_MISSING:
    'Database functions not set up. Please visit /tickets/setup to set up the ticket system. ' +
    'Functions not created: {names}',
  EXEC_SQL_FOUND:
    'The database has functions that run any SQL sent to them. The panel does not need them: {names}',
  INSERT_REFUSED: 'Insert permission failure: {reason}. Check RLS policies',
  NO_DATA_RETURNED: 'No data returned from the insert of a test code. Check RLS policies',
  TICKET_REFUSED:
    'Unable to create ticket. The database is not properly set up: {reason}. Check RLS policies',
  TICKET_NOT_RETURNED: 'Failed to create ticket: No data returned',
  REPLY_NOT_RETURNED: 'No data returned from reply insert',
  TEST_CODE_STAYED: 'The test code could not be removed. Check RLS policies',
  LINES_NOT_READ: 'Failed to load user data: {reason}',
  SIGN_IN_BROKEN: 'Sign-in does not work: {reason}',
  SESSION_NOT_FOUND: 'Sign-in does not work: the session of this call was not found',
  LIVE_SILENT: 'Live changes did not arrive within {seconds} seconds',
  CHECK_FAILED: 'The check could not be carried out: {reason}',
} as const satisfies Record<string, string>;
export type SystemFinding = keyof typeof systemFindings;
const systemFindingCodes = Object.keys(systemFindings) as [SystemFinding, ...SystemFinding[]];

export const setupChecks = [
  'migrations',
  'tables',
  'functions',
  'exec_sql',
  'permissions',
  'tickets',
] as const;
export const connectionChecks = ['users', 'latency', 'sign_in', 'live'] as const;

/** The number of queries whose times give the database's latency. */
export const LATENCY_CALLS = 20;

/** Figures of a check, such as its number of tables, and texts in its finding. */
const data = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

const reportOf = <const Names extends readonly [string, ...string[]]>(names: Names, id: string) =>
  z
    .object({
      ok: z.boolean(),
      checks: arrayOf({
        name: z.enum(names),
        ok: z.boolean(),
        ms: z.number(),
        finding: z.enum(systemFindingCodes).nullable(),
        message: z.string().nullable(),
        data,
      }),
    })
    .meta({ id });

const setupReport = reportOf(setupChecks, 'SetupReport');
export type SetupReport = z.output<typeof setupReport>;
const connectionReport = reportOf(connectionChecks, 'ConnectionReport');
export type ConnectionReport = z.output<typeof connectionReport>;

export const getSetup = endpoint('getSetup', 'GET /api/system/setup', {
  summary: 'Check the set-up of the database',
  description:
    'Checks whether the database has all migrations, tables and functions, and accepts a test code and a test ticket. Both are rolled back.',
  access: 'admin',
  output: setupReport,
});

export const applyMigrations = endpoint('applyMigrations', 'POST /api/system/setup', {
  hasLongStatements: true,
  summary: 'Apply missing migrations',
  description: 'Applies the migrations, as every start does, and returns the report of `getSetup`.',
  access: 'admin',
  output: setupReport.extend({ applied: z.array(z.string()) }),
});

export const getConnection = endpoint('getConnection', 'GET /api/system/connection', {
  summary: "Test the panel's own connections",
  description:
    'Tests whether the database responds, how long 20 queries take, and whether sign-in and live changes work.',
  access: 'admin',
  output: connectionReport,
});

export const getBackups = endpoint('getBackups', 'GET /api/system/backups', {
  summary: 'Get the state of the backups',
  description:
    'Returns when the last scheduled backup was made and copied to another place, when that copy was read back, and when a backup was last restored as a test.',
  access: 'admin',
  output: z
    .object({
      made_at: moment.nullable(),
      /** The place of the copies, without user and secret; null if none are made. */
      place: z.string().nullable(),
      copied_at: moment.nullable(),
      read_back_at: moment.nullable(),
      restored_at: moment.nullable(),
      /** Backups in a row that were not copied, or could not be restored. */
      missed: z.int(),
      problem: z.string().nullable(),
    })
    .meta({ id: 'BackupsState' }),
});

/** The content of `release.json` in a release. Its changelog is Markdown. */
export const release = entity('Release', {
  version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/),
  date: z.iso.date(),
  changelog: z.string().regex(STORABLE),
});

export const getVersion = endpoint('getVersion', 'GET /api/system/version', {
  summary: 'Get the version of the panel',
  description:
    'Returns the version of the panel, and the newer release that the folder of `UPDATE_FEED` last had; null if there is none.',
  access: 'admin',
  output: z.object({ version: z.string(), newer: release.nullable() }),
});

/** The English sentence of a finding. */
export function systemFindingText(
  code: SystemFinding,
  values: Readonly<Record<string, string | number | null>>,
): string {
  return systemFindings[code].replace(/\{(\w+)\}/g, (_, name: string) =>
    String(values[name] ?? ''),
  );
}
