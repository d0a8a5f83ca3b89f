import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { reuseSpace } from '../../db/reuse-space.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import type { Services } from '../context/context.ts';
import { auditPanel, panelOrigin } from './audit.ts';
import { checkSeal } from './check-chain.ts';
import {
  auditLog,
  BrokenSeal,
  type Chain,
  type Cut,
  lockChain,
  readCut,
  readSeals,
  type Seal,
  type SealedTable,
  soundCut,
  writeCut,
} from './seal-chain.ts';

const SEALS_A_BATCH = 50;
const ROWS_A_BATCH = 2000;

/** Reads the next seals whose rows are all older, except the newest seal, which the chain continues from. */
async function readOldSeals(
  tx: Tx,
  table: SealedTable,
  after: number,
  keepDays: number,
): Promise<Seal[]> {
  const { rows } = await sql<{ last: number | null }>`
    select max(number) as last from (
      select number, sum(${sql.ref(table.count)}) over (order by number) as entries
        from ${sql.table(table.seals)}
        where number > ${after} and sealed_until < now() - make_interval(days => ${keepDays})
          and number < (select max(number) from ${sql.table(table.seals)})
        order by number limit ${SEALS_A_BATCH}) as old
      where entries <= ${ROWS_A_BATCH} or number = ${after} + 1`.execute(tx);
  const last = rows[0]?.last ?? after;
  const seals = await readSeals(tx, table, after, SEALS_A_BATCH);
  return seals.filter(({ number }) => number <= last);
}

/**
 * Throws BrokenSeal unless the seal and all its rows are unaltered: a clean-up must not remove the traces of tampering.
 */
async function refuseTampered(
  tx: Tx,
  chain: Chain,
  [seal, previous]: [Seal, Pick<Cut, 'number' | 'seal'>],
): Promise<void> {
  const refuse = () => {
    throw new BrokenSeal(`Seal ${previous.number + 1} of the ${chain.rows} is broken`);
  };
  if (seal.number !== previous.number + 1) refuse();
  await checkSeal(tx, chain, [seal, previous.seal], refuse);
}

/** Removes the oldest seals with their rows; returns null if none is old enough. */
async function cutBatch(tx: Tx, chain: Chain, keepDays: number): Promise<Cut | null> {
  await lockChain(tx, chain);
  const start = await soundCut(tx, chain);
  let cut = start ?? { number: 0, seal: '', sealed_until: '', entries: 0 };
  for (const seal of await readOldSeals(tx, chain, cut.number, keepDays)) {
    await refuseTampered(tx, chain, [seal, cut]);
    const { number, sealed_until, count } = seal;
    cut = { number, seal: seal.seal, sealed_until, entries: cut.entries + count };
  }
  if (cut.number === (start?.number ?? 0)) return null;
  await writeCut(tx, chain, cut);
  const { seals, sealed, row_id } = chain;
  await sql`delete from ${sql.table(chain.table)} where id in (
    select ${sql.ref(row_id)} from ${sql.table(sealed)} where seal_number <= ${cut.number})`.execute(
    tx,
  );
  await sql`delete from ${sql.table(sealed)} where seal_number <= ${cut.number}`.execute(tx);
  await sql`delete from ${sql.table(seals)} where number <= ${cut.number}`.execute(tx);
  return cut;
}

/**
 * Removes rows with their seals, once all rows of a seal are older than `keepDays`. The remaining rows are still
 * proven: the last removed seal is kept with a proof, and the next one continues from it. Throws BrokenSeal, and
 * removes nothing more, if seals are broken. Returns the last cut.
 */
export async function cutRows(
  db: Db,
  chain: Chain,
  keepDays: number,
  isStopping = () => false,
): Promise<Cut | null> {
  let last: Cut | null = null;
  while (!isStopping()) {
    const cut = await transact(db, (tx) => cutBatch(tx, chain, keepDays));
    if (cut === null) break;
    last = cut;
    await nextTurn();
  }
  return last;
}

type CleanUpServices = Pick<Services, 'config' | 'connection' | 'db' | 'secrets' | 'log'>;

/**
 * Deletes entries of the audit log that are older than AUDIT_KEEP_DAYS, and logs how many. Deletes
 * nothing if the seals do not hold.
 */
export async function cleanUpAudit(
  { config, connection, db, secrets, log }: CleanUpServices,
  isStopping = () => false,
): Promise<void> {
  const { audit_keep_days } = config;
  if (audit_keep_days === null) return;
  const chain = { ...auditLog, secrets };
  const before = (await readCut(db, chain))?.entries ?? 0;
  const cut = await cutRows(db, chain, audit_keep_days, isStopping).catch((error: unknown) => {
    if (!(error instanceof BrokenSeal)) throw error;
    log.error({ err: error }, 'the audit log was not shortened, because its seals do not hold');
    return null;
  });
  if (cut === null) return;
  const removed = cut.entries - before;
  log.info({ removed, number: cut.number, seal: cut.seal }, 'the audit log was shortened');
  const data = { removed_entries: removed, removed_until: cut.sealed_until };
  await auditPanel(db, panelOrigin, 'panel.audit_shortened', data);
  await reuseSpace(connection, ['audit_log', 'audit_sealed', 'audit_seals']);
}
