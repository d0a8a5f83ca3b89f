import type * as contract from '@linekeeper/contract/system.ts';
import type { SetupReport, setupChecks } from '@linekeeper/contract/system.ts';
import { sql } from 'kysely';
import { appliedMigrations, compareSchema, migrate, pendingMigrations } from '../../db/migrate.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { auditOriginOf, writeAudit } from '../../domain/audit/audit.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { newId } from '../../platform/ids.ts';
import { makeCode } from '../../platform/make-code.ts';
import { type Check, type Found, runChecks } from './check.ts';

type CheckName = (typeof setupChecks)[number];

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

/** A database of the panel before may have them: who can call one can do anything. */
async function lookForExecSql(db: Db): Promise<Found> {
  const { rows } = await sql<{ name: string }>`
    select distinct proname::text as name from pg_proc
      where proname in ('exec_sql', 'execute_sql', 'execute_sql_select') order by name`.execute(db);
  const names = named(rows.map(({ name }) => name));
  return names ? { finding: 'EXEC_SQL_FOUND', data: { names } } : {};
}

class RollBack extends Error {
  readonly found: Found;
  constructor(found: Found) {
    super('rolled back');
    this.found = found;
  }
}

/** Nobody hears or sees what is tried: the transaction is rolled back, whatever happens. */
function tryOut(db: Db, attempt: (tx: Tx) => Promise<Found>): Promise<Found> {
  const tried = transact(db, async (tx) => {
    throw new RollBack(await attempt(tx));
  });
  return tried.catch((error: unknown) => {
    if (error instanceof RollBack) return error.found;
    throw error;
  });
}

/** Inserts a test code and removes it; it could not be redeemed either. */
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
      assigned_to: null,
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
  const checks: Check<CheckName>[] = [
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
