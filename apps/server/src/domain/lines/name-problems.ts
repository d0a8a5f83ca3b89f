import { bytesOf, MAX_CCCAM_NAME_BYTES } from '@linekeeper/contract/fields/line-credentials.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { Db } from '../../db/transaction.ts';
import { findSharedNames } from './sent-names.ts';

type Named = Pick<Line, 'id' | 'username' | 'server_id'>;

/**
 * Problems of the names of a page. No query is made where no name is longer than a CCcam client
 * sends, which is nearly always.
 */
export async function readNameProblems(
  db: Db,
  rows: readonly Named[],
): Promise<(row: Named) => Line['name_problem']> {
  const long = rows.filter(({ username }) => bytesOf(username) > MAX_CCCAM_NAME_BYTES);
  if (long.length === 0) return () => null;
  const servers = await db
    .selectFrom('cccam_servers')
    .select('id')
    .where('id', 'in', [...new Set(long.map(({ server_id }) => server_id))])
    .where('protocol', '=', 'CCcam')
    .execute();
  const shared = new Set<string>();
  const isOn = new Set(servers.map(({ id }) => id));
  for (const server_id of isOn) {
    const names = long.filter((row) => row.server_id === server_id).map((row) => row.username);
    for (const name of await findSharedNames(db, server_id, names)) shared.add(name);
  }
  return ({ username, server_id }) => {
    if (!isOn.has(server_id) || bytesOf(username) <= MAX_CCCAM_NAME_BYTES) return null;
    return shared.has(username) ? 'NAME_SHARES_FIRST_20' : 'NAME_TOO_LONG_FOR_CCCAM';
  };
}
