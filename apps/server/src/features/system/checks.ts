import { randomBytes } from 'node:crypto';
import type * as contract from '@linekeeper/contract/system.ts';
import {
  type connectionChecks,
  LATENCY_CALLS,
  type SetupReport,
  type SystemFinding,
  type setupChecks,
  systemFindingText,
} from '@linekeeper/contract/system.ts';
import { sql } from 'kysely';
import { appliedMigrations, compareSchema, migrate, pendingMigrations } from '../../db/migrate.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { errorMessage } from '../../platform/errors/error-message.ts';
import { newId } from '../../platform/ids.ts';
import { hashPassword, verifyPassword } from '../../platform/keys/passwords.ts';
import { makeCode } from '../../platform/make-code.ts';

const LIVE_SECONDS = 3;

/** The result of a check: figures, and a finding if something is wrong. */
interface Found {
  finding?: SystemFinding;
  data?: Record<string, string | number | null>;
}

interface Check<Name extends string> {
  name: Name;
  look(): Promise<Found>;
  /** The finding if `look` throws. */
  whenItThrows?: SystemFinding;
}

const milliseconds = (since: number) => Math.round((performance.now() - since) * 10) / 10;

/**
 * Runs one check after the other, so that they do not slow each other down. A check that throws
 * becomes a finding, because the report must work with a broken database, too.
 */
async function runChecks<Name extends string>(checks: readonly Check<Name>[]) {
  const results = [];
  for (const { name, look, whenItThrows = 'CHECK_FAILED' } of checks) {
    const startedAt = performance.now();
    const { finding = null, data = {} } = await look().catch(
      (error: unknown): Found => ({ finding: whenItThrows, data: { reason: errorMessage(error) } }),
    );
    const message = finding && systemFindingText(finding, data);
    results.push({ name, ok: !finding, ms: milliseconds(startedAt), finding, message, data });
  }
  return { ok: results.every(({ ok }) => ok), checks: results };
}

async function lookAtUsers(db: Db): Promise<Found> {
  const line = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  return { data: { id: line?.id ?? null } };
}

/** The time within which this share of the calls had a response. */
function percentile(sorted: readonly number[], share: number): number {
  const at = Math.max(0, Math.ceil(sorted.length * share) - 1);
  return Math.round((sorted[at] ?? 0) * 100) / 100;
}

async function measureLatency(db: Db): Promise<Found> {
  const times: number[] = [];
  for (let call = 0; call < LATENCY_CALLS; call++) {
    const startedAt = performance.now();
    await sql`select id from users limit 1`.execute(db);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  return {
    data: { p50: percentile(times, 0.5), p95: percentile(times, 0.95), calls: LATENCY_CALLS },
  };
}

/** Checks that the session or API key of this call is found, and that a password is hashed and recognised. */
async function lookAtSignIn({ db, session_id, api_key_id }: Ctx): Promise<Found> {
  const found = await (session_id === null
    ? db.selectFrom('api_keys').select('id').where('id', '=', api_key_id)
    : db.selectFrom('auth_sessions').select('id').where('id', '=', session_id)
  ).executeTakeFirst();
  if (!found) return { finding: 'SESSION_NOT_FOUND' };
  const password = randomBytes(16).toString('hex');
  const isKnown = await verifyPassword(await hashPassword(password), password);
  return isKnown ? {} : { finding: 'SIGN_IN_BROKEN', data: { reason: 'argon2id' } };
}

export const getConnection: Action<typeof contract.getConnection> = (ctx) => {
  const { db, live } = ctx;
  const checks: Check<(typeof connectionChecks)[number]>[] = [
    { name: 'users', look: () => lookAtUsers(db), whenItThrows: 'LINES_NOT_READ' },
    { name: 'latency', look: () => measureLatency(db), whenItThrows: 'LINES_NOT_READ' },
    { name: 'sign_in', look: () => lookAtSignIn(ctx), whenItThrows: 'SIGN_IN_BROKEN' },
    {
      name: 'live',
      look: async () =>
        (await live.probe(LIVE_SECONDS * 1000))
          ? {}
          : { finding: 'LIVE_SILENT', data: { seconds: LIVE_SECONDS } },
    },
  ];
  return runChecks(checks);
};

const named = (names: readonly string[]) => names.join(', ');

async function lookAtMigrations(db: Db): Promise<Found> {
  const missing = await pendingMigrations(db);
  if (missing.length > 0) return { finding: 'MIGRATIONS_MISSING', data: { names: named(missing) } };
  const applied = await appliedMigrations(db);
  return { data: { amount: applied.length, newest: applied.at(-1) ?? null } };
}

async function lookAtSchema(db: Db, kind: 'tables' | 'functions'): Promise<Found> {
  const { expected, missing } = await compareSchema(db, kind);
  if (missing.length === 0) return { data: { amount: expected } };
  const finding = kind === 'tables' ? 'TABLES_MISSING' : 'FUNCTIONS_MISSING';
  return { finding, data: { names: named(missing) } };
}

/** Finds functions of the predecessor that run any SQL: anyone who can call one has full access. */
async function lookForExecSql(db: Db): Promise<Found> {
  const { rows } = await sql<{ name: string }>`
    select distinct proname::text as name from pg_proc
      where proname in ('exec_sql', 'execute_sql', 'execute_sql_select') order by name`.execute(db);
  const names = named(rows.map(({ name }) => name));
  return names ? { finding: 'EXEC_SQL_FOUND', data: { names } } : {};
}

/** Runs a test in a transaction that is always rolled back, so that it has no effect. */
async function tryOut(db: Db, attempt: (tx: Tx) => Promise<Found>): Promise<Found> {
  const rollBack = new Error('rolled back');
  let found: Found = {};
  const tried = transact(db, async (tx) => {
    found = await attempt(tx);
    throw rollBack;
  });
  await tried.catch((error: unknown) => {
    if (error !== rollBack) throw error;
  });
  return found;
}

/** Inserts a test code and removes it. The code could not be redeemed in any case. */
async function insertCode(tx: Tx, actor_id: string): Promise<Found> {
  const code = makeCode();
  const values = { id: newId(), code, code_key: code, credits: 1, is_active: false };
  const inserted = await tx
    .insertInto('redeem_codes')
    .values({ ...values, description: null, created_by: actor_id })
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return { finding: 'NO_DATA_RETURNED' };
  const { numDeletedRows } = await tx
    .deleteFrom('redeem_codes')
    .where('id', '=', inserted.id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n ? {} : { finding: 'TEST_CODE_STAYED' };
}

/** Inserts a test ticket, for which no number is used up, and a reply to it. */
async function insertTicket(tx: Tx, actor_id: string): Promise<Found> {
  const texts = { title: 'Test ticket', description: 'Test ticket', status: 'closed' } as const;
  const ticket = await tx
    .insertInto('tickets')
    .values({
      ...texts,
      id: newId(),
      number: sql<number>`(select last_number + 1 from ticket_numbers)`,
      user_id: actor_id,
      last_writer_id: actor_id,
    })
    .returning('id')
    .executeTakeFirst();
  if (!ticket) return { finding: 'TICKET_NOT_RETURNED' };
  const by = { user_id: actor_id, is_admin: true, kind: 'reply' as const, event: null };
  const reply = await tx
    .insertInto('ticket_replies')
    .values({ ...by, id: newId(), ticket_id: ticket.id, position: 1, content: 'Test reply' })
    .returning('id')
    .executeTakeFirst();
  return reply ? {} : { finding: 'REPLY_NOT_RETURNED' };
}

function reportSetup(db: Db, actor_id: string): Promise<SetupReport> {
  const checks: Check<(typeof setupChecks)[number]>[] = [
    { name: 'migrations', look: () => lookAtMigrations(db) },
    { name: 'tables', look: () => lookAtSchema(db, 'tables') },
    { name: 'functions', look: () => lookAtSchema(db, 'functions') },
    { name: 'exec_sql', look: () => lookForExecSql(db) },
    {
      name: 'permissions',
      look: () => tryOut(db, (tx) => insertCode(tx, actor_id)),
      whenItThrows: 'INSERT_REFUSED',
    },
    {
      name: 'tickets',
      look: () => tryOut(db, (tx) => insertTicket(tx, actor_id)),
      whenItThrows: 'TICKET_REFUSED',
    },
  ];
  return runChecks(checks);
}

export const getSetup: Action<typeof contract.getSetup> = ({ db, actor }) =>
  reportSetup(db, actor.id);

export const applyMigrations: Action<typeof contract.applyMigrations> = async (ctx) => {
  const { db, actor, connection } = ctx;
  const applied = await migrate(db);
  connection.keepTables();
  const entry = { action: 'panel.migrated', subject_type: 'panel', subject_id: 'panel' } as const;
  await writeAudit(db, auditOriginOf(ctx), [{ ...entry, data: { migrations: applied } }]);
  return { ...(await reportSetup(db, actor.id)), applied };
};
