import { sql } from 'kysely';
import type { Tx } from '../db/transaction.ts';
import { KEY_CHECK_NAME } from './key-check.ts';
import { checkSeals, resealLedger } from './ledger-seals.ts';
import type { Secrets } from './secrets.ts';

/** A kind of value that only SECRET_KEY opens, and how another key takes its place. */
export interface SealedValues {
  name: string;
  /** Seals all of them with `next`; throws where one does not open with `present`. Returns how many. */
  reseal(tx: Tx, present: Secrets, next: Secrets): Promise<number>;
  /** Throws unless every one opens with `next` and none with `present`. Returns how many. */
  verify(tx: Tx, present: Secrets, next: Secrets): Promise<number>;
}

/** Everything that is sealed: what is missing here is lost with the next rotation. */
export const allSealedValues: readonly SealedValues[] = [
  sealedColumn({
    name: 'line passwords',
    select: 'select id::text as key, id::text as row_id, password as sealed from users',
    update: `update users set password = given.sealed from given where id = given.key::uuid`,
  }),
  sealedColumn({
    name: 'server passwords',
    select: 'select id::text as key, id::text as row_id, password as sealed from cccam_servers',
    update: `update cccam_servers set password = given.sealed from given where id = given.key::uuid`,
  }),
  sealedColumn({
    name: 'passwords in imports',
    select: `select job_id || ' ' || position as key, line_id::text as row_id,
      input ->> 'password' as sealed from job_items where input ->> 'password' is not null`,
    update: `update job_items
      set input = jsonb_set(input, '{password}', to_jsonb(given.sealed)) from given
      where job_id = split_part(given.key, ' ', 1)::uuid
        and position = split_part(given.key, ' ', 2)::integer`,
  }),
  sealedColumn({
    name: 'key check',
    select: `select key, key as row_id, value #>> '{}' as sealed
      from settings where key = '${KEY_CHECK_NAME}'`,
    update:
      'update settings set value = to_jsonb(given.sealed) from given where settings.key = given.key',
  }),
  {
    name: 'seals of the ledger',
    reseal: resealLedger,
    verify: (tx, _present, next) => checkSeals(tx, next),
  },
];

const ROWS_A_BATCH = 1000;

interface SealedRow {
  key: string;
  /** What it was sealed for. */
  row_id: string;
  sealed: string;
}

/** `update` gets the table `given (key, sealed)`. */
function sealedColumn(column: { name: string; select: string; update: string }): SealedValues {
  const { name, select, update } = column;
  return {
    name,
    reseal: (tx, present, next) =>
      eachBatch(tx, select, async (rows) => {
        const keys = rows.map(({ key }) => key);
        const sealed = rows.map((row) => next.seal(open(name, present, row), row.row_id));
        await sql`with given as (
            select * from unnest(${keys}::text[], ${sealed}::text[]) as given (key, sealed))
          ${sql.raw(update)}`.execute(tx);
      }),
    verify: (tx, present, next) =>
      eachBatch(tx, select, async (rows) => {
        for (const row of rows) {
          open(name, next, row);
          if (opens(present, row)) throw new Error(`One of the ${name} was not sealed anew`);
        }
      }),
  };
}

/** Reads all rows as they were when it began, whatever `work` changes. */
async function eachBatch(
  tx: Tx,
  select: string,
  work: (rows: SealedRow[]) => Promise<void>,
): Promise<number> {
  let count = 0;
  await sql.raw(`declare sealed_rows no scroll cursor for ${select}`).execute(tx);
  for (;;) {
    const { rows } = await sql.raw<SealedRow>(`fetch ${ROWS_A_BATCH} from sealed_rows`).execute(tx);
    if (rows.length > 0) await work(rows);
    count += rows.length;
    if (rows.length < ROWS_A_BATCH) break;
  }
  await sql`close sealed_rows`.execute(tx);
  return count;
}

function open(name: string, secrets: Secrets, { key, row_id, sealed }: SealedRow): string {
  try {
    return secrets.open(sealed, row_id);
  } catch (error) {
    throw new Error(`One of the ${name} does not open with its key (${key})`, { cause: error });
  }
}

function opens(secrets: Secrets, { row_id, sealed }: SealedRow): boolean {
  try {
    secrets.open(sealed, row_id);
    return true;
  } catch {
    return false;
  }
}
