import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BulkRequest } from '@linekeeper/contract/lines/bulk.ts';
import type { Tx } from '../../../db/transaction.ts';
import { consumeGuesses } from '../../../domain/accounts/guesses.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { failField } from '../../../platform/errors/refusal.ts';
import { takenNamesLimit } from '../../../platform/rate-limit.ts';
import type { PlannedItem } from '../change/plan.ts';
import { readFacts } from './import-facts.ts';
import { type ReadRow, readRow, rowsToImport } from './import-row.ts';
import { emptyTally, planRow } from './plan-row.ts';

type ImportRequest = Extract<BulkRequest, { action: 'import' }>;

/** Other requests get their turn between so many rows. */
const ROWS_A_TURN = 500;

async function eachRow<Row, Result>(
  rows: readonly Row[],
  work: (row: Row, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_A_TURN === ROWS_A_TURN - 1) await nextTurn();
    results.push(work(row, index));
  }
  return results;
}

/** Row numbers must be as many as the rows, and increasing. */
function refuseOtherNumbers({ rows, row_numbers }: ImportRequest): void {
  if (!row_numbers) return;
  const rises = row_numbers.every((number, index) => number > (row_numbers[index - 1] ?? 0));
  if (!rises || row_numbers.length !== rows.length) failField('row_numbers', 'INVALID_VALUE');
}

/** Reads the cells of the rows that nobody chose to leave out, which needs no database. */
export function readRows(file: ImportRequest): Promise<ReadRow[]> {
  refuseOtherNumbers(file);
  return eachRow(rowsToImport(file), ({ row, number }) => readRow(row, number, file));
}

/**
 * The line that each row of a file would create or extend, or its error. Names of others that it finds
 * count like those of the name check.
 */
export async function planImport(
  tx: Tx,
  ctx: Ctx,
  { adopt }: ImportRequest,
  rows: readonly ReadRow[],
): Promise<PlannedItem[]> {
  if (adopt && !ctx.actor.is_admin) failField('adopt', 'ADMIN_ONLY_FIELD');
  const facts = await readFacts(tx, ctx, rows, adopt);
  const tally = emptyTally();
  const planned = await eachRow(rows, (row) => planRow(facts, tally, row));
  if (tally.guessed > 0) {
    await consumeGuesses(tx, takenNamesLimit, ctx.actor.id, tally.guessed);
  }
  return planned;
}
