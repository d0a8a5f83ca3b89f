import type { Day } from '@linekeeper/contract/dates.ts';
import { errorText } from '@linekeeper/contract/errors.ts';
import { isSentWhole } from '@linekeeper/contract/fields/line-credentials.ts';
import { strict } from '@linekeeper/contract/fields/strict.ts';
import { type NewLine, newLine } from '@linekeeper/contract/lines/lines.ts';
import { fieldProblems, type Issue } from '@linekeeper/contract/problems.ts';
import type { FoundLine } from '@linekeeper/line-files/found-line.ts';
import { type SqlBool, sql } from 'kysely';
import type { Tx } from '../../../db/transaction.ts';
import { writeAudit } from '../../../domain/audit/audit.ts';
import type { Services } from '../../../domain/context/context.ts';
import { findSharedNames, lockSharedNames } from '../../../domain/delivery/sent-names.ts';
import { type ChosenServer, chooseServerOfAdopted } from '../../../domain/delivery/servers.ts';
import { wantOnServer } from '../../../domain/delivery/wanted-state.ts';
import { rowsText } from '../../../domain/import/file-report.ts';
import { comparison, type Outcome, RowFault, rowFault } from '../../../domain/import/outcome.ts';
import { findActiveServer, findOwner } from '../../../domain/import/references.ts';
import { newId } from '../../../platform/ids.ts';
import { changeableColumns, updateLine } from '../change/locked-line.ts';
import { suspendedColumns } from '../change/suspension.ts';
import { readText } from '../import/import-row.ts';
import { insertLine } from '../list/store.ts';
import { rowOfNewLine } from '../sell/new-line-row.ts';

/** Values for what a file does not say of its lines, and the account that adopts them. */
export interface LineDefaults {
  actor_id: string;
  owner_id: string;
  /** undefined for the newest active server. */
  server_id: string | undefined;
  expiry: Day | null;
  /** Name of the file, for the audit log. */
  file: string;
}

interface Adopted {
  line: NewLine;
  /** null where the row does not say. */
  expiry: Day | null;
  owner_id: string | null;
  server_id: string | null;
}

const strictLine = strict(newLine);

/** Checks a row like the body of a sale. Throws a RowFault. */
function checkLine({ username, password, texts }: FoundLine, expiry_date: Day): NewLine {
  const { owner: _, server: __, subscription_months, is_trial, email, ...about } = texts;
  if (subscription_months !== undefined || is_trial === 'true') {
    throw new RowFault('expiry', 'A line is adopted with its last day: months and trials are sold');
  }
  const given = Object.entries({ ...about, email: email?.trim() }).flatMap(([field, text]) => {
    const value = text === undefined ? undefined : readText(field, text);
    return value === undefined ? [] : [[field, value]];
  });
  const { data, error } = strictLine.safeParse({
    ...Object.fromEntries(given),
    username,
    password,
    expiry_date,
  });
  if (data) return data;
  const [[field, { code, data: facts }] = ['', { code: 'INVALID_VALUE', data: {} }] as const] =
    fieldProblems(error.issues as readonly Issue[]);
  throw new RowFault(field, errorText(code, facts));
}

/** Whether nothing in the row itself speaks against it, with this last day where it names none. */
export function isSound(found: FoundLine, expiry: Day | null): boolean {
  const day = found.expiry ?? expiry;
  if (found.fault || day === null) return false;
  try {
    checkLine(found, day);
    return true;
  } catch (error) {
    if (error instanceof RowFault) return false;
    throw error;
  }
}

async function readLine(tx: Tx, found: FoundLine, defaults: LineDefaults): Promise<Adopted> {
  if (found.fault) throw rowFault(found.fault);
  const { expiry, texts } = found;
  const day = expiry ?? defaults.expiry;
  // The other fields first: whoever gives --expiry then is not told of the next fault only.
  const line = checkLine(found, day ?? '2000-01-01');
  if (day === null) {
    throw new RowFault(
      'expiry',
      'The row has no expiry date: give one for all of these by --expiry',
    );
  }
  return {
    line,
    expiry,
    owner_id: texts.owner === undefined ? null : await findOwner(tx, texts.owner),
    server_id: texts.server === undefined ? null : await findActiveServer(tx, texts.server),
  };
}

function findTaken(tx: Tx, username: string) {
  return tx
    .selectFrom('users')
    .select([...changeableColumns, 'users.password'])
    .where(
      sql<SqlBool>`username = ${username}
        or (normalize(username, NFC) = ${username} and not is_name_twin)`,
    )
    .limit(1)
    .executeTakeFirst();
}
type Taken = NonNullable<Awaited<ReturnType<typeof findTaken>>>;

/** Compares what the file says, not what it leaves to the options. */
function differences(
  { secrets }: Services,
  taken: Taken,
  { isSuspended }: FoundLine,
  { line, expiry, owner_id }: Adopted,
): string[] {
  const differing = {
    password: secrets.open(taken.password, taken.id) !== line.password,
    expiry: expiry !== null && taken.expiry_date !== expiry,
    owner: owner_id !== null && taken.owner_id !== owner_id,
    status: isSuspended !== null && (taken.suspension !== null) !== isSuspended,
  };
  return Object.entries(differing).flatMap(([field, differs]) => (differs ? [field] : []));
}

/** Its server has the name already, so it is adopted as it is; a sale would be refused. */
async function nameWarning(
  tx: Tx,
  { username }: NewLine,
  { id, protocol }: ChosenServer,
  rowsAlike: readonly number[],
): Promise<{ warning?: string }> {
  if (protocol !== 'CCcam') return {};
  const shared = await findSharedNames(tx, id, [username]);
  const others =
    rowsAlike.length > 0
      ? `of ${rowsText(rowsAlike)}`
      : shared.size > 0 && 'of another line of this card server';
  const isWhole = isSentWhole(username, protocol);
  if (isWhole && !others) return {};
  const what = isWhole
    ? `A CCcam client sends the first 20 bytes ${others}, too`
    : 'A CCcam client sends only the first 20 bytes of this username' +
      (others ? `, and the same ${others}` : '');
  const marked = isWhole ? '' : ', and marked in the panel';
  return { warning: `${what}. It is adopted as it is${marked}` };
}

/** What there is under the name already; null where there is none. */
async function compareTaken(
  tx: Tx,
  services: Services,
  found: FoundLine,
  adopted: Adopted,
  defaults: LineDefaults,
): Promise<Outcome | null> {
  const taken = await findTaken(tx, adopted.line.username);
  if (!taken) return null;
  const fields = differences(services, taken, found, adopted);
  const wanted = adopted.server_id ?? defaults.server_id;
  // Another server's customer of the same name is somebody else: "already there" would be wrong of him.
  if (wanted === undefined || wanted === taken.server_id) return comparison(fields);
  const nameOf = (id: string) => serverName(tx, id);
  const [server, itsWanted] = [await nameOf(taken.server_id), await nameOf(wanted)];
  return { kind: 'elsewhere', server, wanted: itsWanted, fields };
}

async function serverName(tx: Tx, id: string): Promise<string> {
  const server = await tx
    .selectFrom('cccam_servers')
    .select('server_name')
    .where('id', '=', id)
    .executeTakeFirst();
  return server?.server_name ?? id;
}

async function ownerEmail(tx: Tx, id: string): Promise<string> {
  const owner = await tx
    .selectFrom('auth_users')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirst();
  return owner?.email ?? id;
}

/** false where another run has taken the name since it was looked for. */
async function insertAdopted(
  tx: Tx,
  { secrets, today }: Services,
  { line, owner_id }: Adopted,
  { actor_id, ...defaults }: LineDefaults,
  server: ChosenServer,
  { isSuspended: said, added }: FoundLine,
): Promise<boolean> {
  const isSuspended = said ?? false;
  const id = newId();
  const { username, expiry_date = '' } = line;
  const owner = owner_id ?? defaults.owner_id;
  const row = {
    ...rowOfNewLine(line, server),
    id,
    password: secrets.seal(line.password, id),
    added_date: added ?? today(),
    expiry_date,
    owner_id: owner,
  };
  if (!(await insertLine(tx, row))) return false;
  await lockSharedNames(tx, [server.id], [username]);
  if (isSuspended) {
    const asMade = { ...row, status: JSON.parse(row.status), suspension: null };
    await updateLine(tx, id, suspendedColumns(asMade, actor_id, undefined));
  }
  await wantOnServer(tx, {
    server_id: server.id,
    username,
    wanted: isSuspended ? null : { line_id: id, expiry_date },
    operation: isSuspended ? 'edit' : 'add',
  });
  await writeAudit(tx, { actor_id, address: null, request_id: null }, [
    {
      action: 'line.adopt',
      subject_type: 'line',
      subject_id: id,
      after: { username, server_id: server.id, owner_id: owner, expiry_date },
      data: { adopted_from: defaults.file, is_suspended: isSuspended },
    },
  ]);
  return true;
}

/**
 * Adopts one line of a file for nothing, where there is none of its name. Throws a RowFault, or a
 * Refusal where no server takes it.
 */
export async function adoptLine(
  tx: Tx,
  services: Services,
  found: FoundLine,
  defaults: LineDefaults,
  isApplied: boolean,
  /** Rows of which a CCcam client sends the same as of this one. */
  rowsAlike: readonly number[] = [],
): Promise<Outcome> {
  const adopted = await readLine(tx, found, defaults);
  const compare = () => compareTaken(tx, services, found, adopted, defaults);
  const known = await compare();
  if (known) return known;
  const server = await chooseServerOfAdopted(tx, adopted.server_id ?? defaults.server_id);
  const warned = await nameWarning(tx, adopted.line, server, rowsAlike);
  if (!isApplied) {
    const { username, expiry_date } = adopted.line;
    const owner = await ownerEmail(tx, adopted.owner_id ?? defaults.owner_id);
    const state = found.isSuspended ? ', suspended' : '';
    const place = `on ${await serverName(tx, server.id)}, of ${owner}`;
    return { kind: 'new', what: `${username} through ${expiry_date} ${place}${state}`, ...warned };
  }
  if (await insertAdopted(tx, services, adopted, defaults, server, found)) {
    return { kind: 'new', ...warned };
  }
  const made = await compare();
  if (!made) throw new RowFault('username', errorText('USERNAME_EXISTS'));
  return made;
}
