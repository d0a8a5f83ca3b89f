import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import { type Scope, visibleTo } from '../../../domain/context/access.ts';
import {
  asTotal,
  countUpTo,
  FAR_BEYOND,
  FAR_BEYOND_FOR_MS,
  type Total,
} from '../../../platform/paging/pages.ts';

/** Bounded, because a database crash may reset the version to an earlier value. */
const REMEMBERED_FOR_MS = 60_000;
const MOST_REMEMBERED = 1000;

interface Counted {
  count: number;
  version: number;
  countedAt: number;
}

/** Counts by scope, for each database. */
const remembered = new WeakMap<Db, Map<string, Counted>>();

/**
 * The total of all lines of a scope, from a cache unless something has changed. It is correct with
 * several panels: every statement that adds or removes lines raises a version (a sequence) before
 * its commit. The order of the three statements matters. Changes that raised the version before the
 * first statement have either been committed before the second and are counted by the third, or the
 * second finds them in progress and the count is not cached. Later changes raise the version again.
 */
export async function totalOfLines(db: Db, scope: Scope): Promise<Total> {
  const known = remembered.get(db) ?? new Map<string, Counted>();
  remembered.set(db, known);
  const key = scope.sees_all ? 'all' : scope.account_id;
  const found = known.get(key);
  const age = performance.now() - (found?.countedAt ?? 0);
  const last = age < REMEMBERED_FOR_MS ? found : undefined;
  // Shown as "10,000 or more", which remains true for a few seconds.
  if (last && last.count > FAR_BEYOND && age < FAR_BEYOND_FOR_MS) {
    return asTotal(last.count);
  }
  const version = await readVersion(db);
  if (last?.version === version) return asTotal(last.count);
  const countedAt = performance.now();
  const isQuiet = await nothingIsUnderWay(db);
  const lines = db.selectFrom('users').where(visibleTo(scope, 'users.owner_id'));
  const { count } = await db
    .selectNoFrom(countUpTo(FAR_BEYOND + 1, lines).as('count'))
    .executeTakeFirstOrThrow();
  known.delete(key);
  if (isQuiet || count > FAR_BEYOND) {
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(key, { count, version: isQuiet ? version : Number.NaN, countedAt });
  }
  return asTotal(count);
}

async function readVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select last_value + is_called::integer as version from lines_version`.execute(db);
  return rows[0]?.version ?? Number.NaN;
}

/** A transaction that changed a row holds this lock on its table until it ends. */
async function nothingIsUnderWay(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_quiet: boolean }>`
    select not exists (select from pg_locks
      where locktype = 'relation' and mode = 'RowExclusiveLock'
        and database = (select oid from pg_database where datname = current_database())
        and relation in ('users'::regclass, 'account_tree'::regclass)) as is_quiet`.execute(db);
  return rows[0]?.is_quiet ?? false;
}
