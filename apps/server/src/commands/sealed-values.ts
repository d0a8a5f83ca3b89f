import { sql } from 'kysely';
import type { Tx } from '../db/transaction.ts';
import {
  auditLog,
  countSoundSeals,
  ledger,
  resealRows,
  type SealedTable,
} from '../domain/audit/seal-chain.ts';
import { WEB_PUSH_KEYS_NAME } from '../domain/web-push/web-push-keys.ts';
import { KEY_CHECK_NAME } from '../platform/keys/key-check.ts';
import type { Secrets } from '../platform/keys/secrets.ts';

/**
 * One kind of value encrypted with SECRET_KEY, with its part of a key rotation. Both functions return the number of
 * values.
 */
interface SealedValues {
  name: string;
  /** Encrypts all values with `next`; throws if one cannot be decrypted with `present`. */
  reseal(tx: Tx, present: Secrets, next: Secrets): Promise<number>;
  /** Throws unless all values can be decrypted with `next` and none with `present`. */
  verify(tx: Tx, present: Secrets, next: Secrets): Promise<number>;
}

/**
 * All columns with encrypted values. A column that is missing here could no longer be decrypted after the next
 * rotation.
 */
export const allSealedValues: readonly SealedValues[] = [
  sealedColumn(ofTable('line passwords', 'users', 'password')),
  sealedColumn(ofTable('activation codes', 'activation_codes', 'code')),
  sealedColumn(ofTable('server passwords', 'cccam_servers', 'password')),
  sealedColumn(ofTable('passwords of agents not added yet', 'awaited_servers', 'password')),
  sealedColumn(ofTable('two-factor secrets', 'two_factor', 'secret', 'account_id')),
  sealedColumn(ofTable('secrets of webhooks', 'webhooks', 'secret')),
  sealedColumn(ofTable('former secrets of webhooks', 'webhooks', 'old_secret')),
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
    name: 'passwords of rows written by hand',
    select: `select server_id || ' ' || username as key, left_password ->> 'line_id' as row_id,
      left_password ->> 'password' as sealed from server_accounts where left_password is not null`,
    update: `update server_accounts
      set left_password = jsonb_set(left_password, '{password}', to_jsonb(given.sealed)) from given
      where server_id = split_part(given.key, ' ', 1)::uuid
        and username = split_part(given.key, ' ', 2)`,
  }),
  sealedColumn(ofTable('addresses of browsers', 'push_subscriptions', 'sealed')),
  sealedColumn({
    name: 'key of web push',
    select: `select key, key as row_id, value ->> 'private_key' as sealed
      from settings where key = '${WEB_PUSH_KEYS_NAME}'`,
    update: `update settings set value = jsonb_set(value, '{private_key}', to_jsonb(given.sealed))
      from given where settings.key = given.key`,
  }),
  sealedColumn({
    name: 'key check',
    select: `select key, key as row_id, value #>> '{}' as sealed
      from settings where key = '${KEY_CHECK_NAME}'`,
    update:
      'update settings set value = to_jsonb(given.sealed) from given where settings.key = given.key',
  }),
  sealsOf('seals of the ledger', ledger),
  sealsOf('seals of the audit log', auditLog),
];

const ROWS_A_BATCH = 1000;

interface SealedRow {
  key: string;
  /** The row id that the value is bound to. */
  row_id: string;
  sealed: string;
}

function sealsOf(name: string, table: SealedTable): SealedValues {
  return {
    name,
    reseal: (tx, present, next) => resealRows(tx, { ...table, secrets: present }, next),
    verify: (tx, _present, next) => countSoundSeals(tx, { ...table, secrets: next }),
  };
}

/** A column of a table with uuids, whose values are bound to them. */
function ofTable(name: string, table: string, column: string, id = 'id') {
  return {
    name,
    select: `select ${id}::text as key, ${id}::text as row_id, ${column} as sealed
      from ${table} where ${column} is not null`,
    update: `update ${table} set ${column} = given.sealed from given where ${id} = given.key::uuid`,
  };
}

/** Describes an encrypted column. `update` can use the table `given (key, sealed)`. */
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
          if (tryOpen(present, row) !== null)
            throw new Error(`One of the ${name} was not re-encrypted`);
        }
      }),
  };
}

/** Passes all rows to `work` in batches. Its changes do not show in later batches. Returns the number of rows. */
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

/** The decrypted value; null if it cannot be decrypted with this key. */
function tryOpen(secrets: Secrets, { row_id, sealed }: SealedRow): string | null {
  try {
    return secrets.open(sealed, row_id);
  } catch {
    return null;
  }
}

function open(name: string, secrets: Secrets, row: SealedRow): string {
  const text = tryOpen(secrets, row);
  if (text === null)
    throw new Error(`One of the ${name} cannot be decrypted with its key (${row.key})`);
  return text;
}
