import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import type { NewLine } from '@linekeeper/contract/lines/lines.ts';
import type { Insertable } from 'kysely';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { ServerRow, UsersTable } from '../../../db/schema/schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import { textColumns } from '../../../domain/lines/line-texts.ts';
import {
  findHeldNames,
  findSharedNames,
  lockSharedNames,
} from '../../../domain/lines/sent-names.ts';
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
    ...textColumns(line),
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

/** Names that are taken, or share with others what is sent of them. */
function problemsOf(
  ids: Iterable<string>,
  code: ErrorCode,
  field: string | null = 'username',
): Problems {
  return new Map([...ids].map((id) => [id, { code, data: {}, field }]));
}

/**
 * Names by which other lines still work, and those that share their first 20 bytes on one machine, also among the given
 * ones, unless their card server has them already.
 */
async function findUnfitNames(
  tx: Tx,
  rows: readonly NewRow[],
  isThereAlready: boolean,
): Promise<Problems> {
  const names = rows.map(({ username }) => username);
  const servers = [...new Set(rows.map(({ server_id }) => server_id))];
  await lockSharedNames(tx, servers, names);
  for (const server_id of servers) {
    const there = rows.filter((row) => row.server_id === server_id);
    const namesThere = there.map(({ username }) => username);
    const idsOf = (found: ReadonlySet<string>) =>
      there.flatMap(({ id, username }) => (found.has(username) ? [id] : []));
    const held = idsOf(await findHeldNames(tx, server_id, namesThere));
    if (held.length > 0) return problemsOf(held, 'USERNAME_EXISTS');
    if (isThereAlready) continue;
    const shared = idsOf(await findSharedNames(tx, server_id, namesThere));
    if (shared.length > 0) return problemsOf(shared, 'NAME_SHARES_FIRST_20');
  }
  return new Map();
}

/**
 * Makes lines, one for a sale or a thousand for an import, and counts the trials among them; they are to be paid and settled.
 * Returns the problems of names by ids of lines: where there are any, the transaction must be given up. Throws
 * TRIAL_LIMIT_REACHED, TRIAL_DAILY_LIMIT_REACHED and TRIAL_OF_NAME.
 */
export async function makeLines(
  tx: Tx,
  acting: ActingAccount,
  rows: readonly NewRow[],
  isThereAlready = false,
): Promise<Problems> {
  const taken = await insertLines(tx, rows);
  if (taken.size > 0) return problemsOf(taken, 'USERNAME_EXISTS', null);
  const unfit = await findUnfitNames(tx, rows, isThereAlready);
  if (unfit.size > 0) return unfit;
  const trials = rows.filter(({ is_trial }) => is_trial);
  await countNewTrials(tx, acting, trials);
  return unfit;
}
