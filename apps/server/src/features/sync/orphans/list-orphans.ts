import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { lineUsername } from '@linekeeper/contract/fields/line-credentials.ts';
import { orphansList } from '@linekeeper/contract/lists/lists.ts';
import type * as contract from '@linekeeper/contract/servers/orphans.ts';
import type { Orphan } from '@linekeeper/contract/servers/orphans.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import { readNameProblems } from '../../../domain/lines/sent-names.ts';
import { canBeRemoved, isStillUnknown } from '../../../domain/machines/orphans.ts';
import { escapeLike } from '../../../platform/paging/escape-like.ts';
import { filtered, type SortColumns } from '../../../platform/paging/filtered.ts';
import { type Page, readPage } from '../../../platform/paging/pages.ts';

const sortColumns: SortColumns<typeof orphansList> = {
  username: { ref: 'orphan.username', type: 'text' },
  // Names without a date come last, after the last day that there is.
  expiry_date: { ref: sql`coalesce(orphan.expiry_date, date '9999-12-31')`, type: 'date' },
  found_at: { ref: 'orphan.found_at', type: 'timestamptz' },
};

function orphans(db: Db) {
  return db
    .selectFrom('server_orphans as orphan')
    .innerJoin('cccam_servers as server', 'server.id', 'orphan.server_id')
    .where('server.status', '<>', 'inactive')
    .where(isStillUnknown);
}

/** A name that the panel would write otherwise could not be found on the server again. */
function isFit(username: string): boolean {
  const read = lineUsername.safeParse(username);
  return read.success && read.data === username;
}

export async function listOrphans(
  db: Db,
  query: Parsed<typeof contract.listOrphans>['query'],
): Promise<Page<Orphan>> {
  const matching = filtered(orphansList, orphans(db), query, {
    server_id: 'orphan.server_id',
    q: (text) => sql<SqlBool>`orphan.username like ${`%${escapeLike(text)}%`}`,
  });
  const rows = orphans(db)
    .leftJoin('users as line', 'line.username', 'orphan.username')
    .leftJoin('orphan_looks as look', 'look.server_id', 'orphan.server_id')
    .select([
      'orphan.id',
      'orphan.server_id',
      'server.server_name',
      'orphan.username',
      'orphan.expiry_date',
      'orphan.found_at',
      sql<boolean>`coalesce(look.tells_passwords, false)`.as('tells_password'),
      'line.id as line_id',
      canBeRemoved.as('can_remove'),
    ]);
  const page = await readPage(db, query, sortColumns, 'orphan.id', matching, rows);
  const problemOf = await readNameProblems(db, page.items);
  return {
    ...page,
    items: page.items.map(({ found_at, ...orphan }) => ({
      ...orphan,
      found_at: found_at.toISOString(),
      refusal: refusalOf(orphan),
      name_problem: problemOf(orphan),
    })),
  };
}

function refusalOf({ username, line_id }: Pick<Orphan, 'username' | 'line_id'>): Orphan['refusal'] {
  if (!isFit(username)) return 'ORPHAN_NAME_UNFIT';
  return line_id ? 'USERNAME_EXISTS' : null;
}
