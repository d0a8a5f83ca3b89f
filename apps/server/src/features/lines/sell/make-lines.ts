import type { NewLine } from '@linekeeper/contract/lines/lines.ts';
import type { Insertable } from 'kysely';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { ServerRow, UsersTable } from '../../../db/schema/schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import { detailColumns } from '../../../domain/lines/line-details.ts';
import { checkNames, lockSharedNames } from '../../../domain/lines/sent-names.ts';
import { defaultHostPort, lineProtocol, type Reached } from '../../../domain/machines/servers.ts';
import type { ActingAccount } from '../price/price.ts';
import { countNewTrials, type NewTrial } from '../price/trial-limits.ts';

export type NewRow = Insertable<UsersTable> & NewTrial;

/** Rows of one INSERT, because a statement takes 65,535 values at most. */
const AT_ONCE = 500;

/** The columns of a new line, with defaults for omitted fields. */
export function rowOfNewLine(
  line: Omit<NewLine, 'password'>,
  server: Reached & Pick<ServerRow, 'id'>,
) {
  return {
    username: line.username,
    protocol: line.protocol ?? lineProtocol(server),
    host_port: line.host_port ?? [defaultHostPort(server)],
    status: JSON.stringify(line.status ?? [{ label: 'active', color: 'success' }]),
    server_id: server.id,
    is_trial: line.is_trial,
    subscription_months: line.subscription_months ?? null,
    ...detailColumns(line),
  };
}

/** Inserts lines; returns the ids of those whose names are taken. */
export async function insertLines(tx: Tx, rows: readonly NewRow[]): Promise<Set<string>> {
  const missing = new Set(rows.map(({ id }) => id));
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const inserted = await tx
      .insertInto('users')
      .values(rows.slice(from, from + AT_ONCE))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    for (const { id } of inserted) missing.delete(id);
  }
  return missing;
}

type Problems = ReadonlyMap<string, JobItemError>;

/** Whose names are checked, and which rules do not hold, because card servers have the lines already. */
type NameRules = Pick<Parameters<typeof checkNames>[1], 'actor' | 'except'>;

/** The refusals of names by ids of their lines; of several servers those of the first that has any. */
async function findUnfitNames(tx: Tx, rows: readonly NewRow[], how: NameRules): Promise<Problems> {
  const names = rows.map(({ username }) => username);
  const servers = Map.groupBy(rows, ({ server_id }) => server_id);
  await lockSharedNames(tx, [...servers.keys()], names);
  for (const [server_id, there] of servers) {
    const namesThere = there.map(({ username }) => username);
    const refusals = await checkNames(tx, { server_id, names: namesThere, ...how });
    const problems = there.flatMap(({ id, username }) => {
      const code = refusals.get(username);
      return code ? [[id, { code, data: {}, field: 'username' }] as const] : [];
    });
    if (problems.length > 0) return new Map(problems);
  }
  return new Map();
}

/**
 * Makes lines, one for a sale or a thousand for an import, and counts the trials among them; they are to be paid and settled.
 * Returns the refusals of names by ids of lines: where there are any, the transaction must be given up. Throws
 * TRIAL_LIMIT_REACHED, TRIAL_DAILY_LIMIT_REACHED and TRIAL_OF_NAME.
 */
export async function makeLines(
  tx: Tx,
  acting: ActingAccount,
  rows: readonly NewRow[],
  how: NameRules,
): Promise<Problems> {
  const taken = await insertLines(tx, rows);
  const problem = { code: 'USERNAME_EXISTS', data: {}, field: null };
  if (taken.size > 0) return new Map([...taken].map((id) => [id, problem]));
  const unfit = await findUnfitNames(tx, rows, how);
  if (unfit.size > 0) return unfit;
  const trials = rows.filter(({ is_trial }) => is_trial);
  await countNewTrials(tx, acting, trials);
  return unfit;
}
