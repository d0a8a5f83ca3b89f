import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Day } from '@linekeeper/contract/dates.ts';
import type { ErrorCode, ErrorData } from '@linekeeper/contract/errors.ts';
import { SUSPENDED } from '@linekeeper/contract/fields/line-fields.ts';
import type { BulkRequest } from '@linekeeper/contract/lines/bulk.ts';
import { areRowNumbers } from '@linekeeper/contract/lines/import-limits.ts';
import type { NamedLine, NewLine } from '@linekeeper/contract/lines/lines.ts';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import { consumeGuesses } from '../../../domain/accounts/guesses.ts';
import type { Fields } from '../../../domain/audit/audit.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { otherServers } from '../../../domain/lines/places.ts';
import { isOffered, isPlace, type Places } from '../../../domain/machines/servers.ts';
import { fail, failField, Refusal } from '../../../platform/errors/refusal.ts';
import { newId } from '../../../platform/ids.ts';
import { takenNamesLimit } from '../../../platform/rate-limit.ts';
import type { LockedLine } from '../change/locked-line.ts';
import { itemError, type Plan, refusalOf } from '../change/plan.ts';
import { planRenewal } from '../change/renewal.ts';
import { planOf, termOfImportedLine } from '../price/price.ts';
import { type ImportFacts, planIdOf, readFacts, type ServerFacts } from './import-facts.ts';
import { type ReadRow, readRow } from './import-row.ts';

/** A new line as stored with the job: server and owner chosen, password encrypted. */
export type KeptLine = NewLine & {
  server_id: string;
  owner_id: string;
  /** True if the line was switched off on its previous panel. */
  is_suspended?: boolean;
  /** The day on which the line was added in its previous panel, if the file has it. */
  added_date?: Day;
};

/** The plan for one row of an import, or the error that prevents its import. */
export interface PlannedItem extends Plan {
  line_id: string | null;
  username: string;
  /** The error; null if the row can be imported. */
  error: JobItemError | null;
  input: Fields | null;
}

/** The months by which a row renews a line that exists, as stored with the job. */
export interface KeptMonths {
  extends_by: number;
}

/** The names, places on servers and trials that the rows planned so far use up. Refused rows use up nothing. */
export interface Tally {
  /** The first row of each normalised name. */
  rowsByName: Map<string, number>;
  /** Places by ids of servers. */
  places: Map<string, number>;
  trials: number;
  lines: number;
  /** The number of other accounts' names that were found. */
  guessed: number;
}

export const emptyTally = (): Tally => ({
  rowsByName: new Map(),
  places: new Map(),
  trials: 0,
  lines: 0,
  guessed: 0,
});

const placesLeft = ({ id, capacity }: ServerFacts, { places }: Tally) =>
  capacity - (places.get(id) ?? 0);

/** The servers of a plan in the order in which a sale would try them, with the lines of the rows before. */
function inOrder(
  servers: readonly ServerFacts[],
  { serves, server_ids }: Places,
  { places }: Tally,
): readonly ServerFacts[] {
  if (serves === 'one') return servers;
  const rank = ({ id, lines }: ServerFacts) =>
    serves === 'all' ? server_ids.indexOf(id) : lines + (places.get(id) ?? 0);
  return servers.toSorted((one, other) => rank(one) - rank(other));
}

/**
 * The server given by id, by name or by both consistently. Otherwise the plan divides its lines,
 * with the newest active server by default, and the first possible server with a free place takes
 * the row. A given server that already has the line needs no free place.
 */
function serverOf(
  facts: ImportFacts,
  tally: Tally,
  { line, server: name }: ReadRow,
  places: Places,
): ServerFacts {
  const { servers, adopts } = facts;
  const { server_id } = line ?? {};
  const named = servers.filter(
    ({ server_name }) => !name || server_name.toLowerCase() === name.toLowerCase(),
  );
  if (named.length === 0 && name) failField('server', 'SERVER_NOT_FOUND');
  if (server_id && !servers.some(({ id }) => id === server_id)) {
    failField('server_id', 'SERVER_NOT_FOUND');
  }
  const meant = server_id ? named.filter(({ id }) => id === server_id) : named;
  if (meant.length === 0 && server_id) failField('server', 'INVALID_VALUE');
  const ofPlan = meant.filter(({ id }) => isPlace(places, id));
  if (ofPlan.length === 0 && meant.length > 0) {
    failField(server_id ? 'server_id' : 'server', 'SERVER_NOT_OF_PLAN');
  }
  const active = inOrder(ofPlan, places, tally).filter(({ status }) => status === 'active');
  const [first] = active;
  if (!first) return fail('NO_ACTIVE_SERVERS');
  if (adopts && (server_id || name)) return first;
  const withCapacity = active.find((server) => placesLeft(server, tally) > 0);
  if (withCapacity) return withCapacity;
  if (!server_id && !name) fail('NO_SERVER_TAKES_LINES');
  const field = server_id ? 'server_id' : 'server';
  const isClosed = !active.some(isOffered);
  return isClosed
    ? failField(field, 'SERVER_CLOSED')
    : failField(field, 'SERVER_FULL', { left: 0 });
}

/**
 * The owner of the new line. Only administrators may name another account; a row of anybody else that names one is
 * refused, and not given to the actor.
 */
function ownerOf({ owners, actor }: ImportFacts, { owner }: ReadRow, line: NewLine): string {
  const named = owner?.named.toLowerCase();
  const isOwn = named === actor.email.toLowerCase() || named === actor.id;
  if (owner && !isOwn && !actor.is_admin) failField(owner.field, 'ADMIN_ONLY_FIELD');
  const ofName = owner && (isOwn ? actor.id : owners.get(named ?? ''));
  if (owner && !ofName) failField(owner.field, 'USER_NOT_FOUND');
  const { owner_id = ofName ?? actor.id } = line;
  // An owner's column and id must not be two different accounts.
  if (owner && ofName !== owner_id) failField(owner.field, 'INVALID_VALUE');
  if (owner_id === actor.id) return owner_id;
  if (!actor.is_admin) failField('owner_id', 'ADMIN_ONLY_FIELD');
  return owners.get(owner_id) ?? failField('owner_id', 'USER_NOT_FOUND');
}

function serverName({ servers }: ImportFacts, { server_id }: LockedLine): string {
  return servers.find(({ id }) => id === server_id)?.server_name ?? server_id;
}

/** The cells that differ from the existing line. */
function differingCells(
  facts: ImportFacts,
  { server, plan, owner, is_suspended }: ReadRow,
  { password, server_id, plan_id, owner_id, expiry_date }: NamedLine,
  line: LockedLine,
): string[] {
  const { owners, secrets } = facts;
  const isSame = password === undefined || secrets.open(line.password, line.id) === password;
  const differing = [
    ['server', server && serverName(facts, line).toLowerCase() !== server.toLowerCase()],
    ['server_id', server_id && server_id !== line.server_id],
    ['plan', plan !== null && facts.plan_ids.get(plan.toLowerCase()) !== line.plan_id],
    ['plan_id', plan_id && plan_id !== line.plan_id],
    [owner?.field, owner && owners.get(owner.named.toLowerCase()) !== line.owner_id],
    ['owner_id', owner_id && owner_id !== line.owner_id],
    ['status', is_suspended && !line.suspension],
    ['password', !isSame],
    ['expiry_date', expiry_date !== undefined && expiry_date !== line.expiry_date],
  ] as const;
  return differing.flatMap(([field = '', differs]) => (differs ? [field] : []));
}

/** Refuses the name of a new line with the existing line that has it, if the actor sees that. */
function refuseThere(facts: ImportFacts, row: ReadRow, given: NewLine, line: LockedLine): never {
  const fields = differingCells(facts, row, given, line);
  if (fields.some((field) => field.startsWith('server'))) {
    fail('LINE_EXISTS_ELSEWHERE', { server: serverName(facts, line) });
  }
  if (fields.length === 0) fail('LINE_EXISTS');
  const spoken = fields.map((field) => field.replace(/_.*/, ''));
  return fail('LINE_EXISTS_OTHERWISE', { differing: [...new Set(spoken)].join(', ') });
}

/** Refuses a name and counts the refusal as a guess, because it reveals a line of somebody else. */
function refuseFound(tally: Tally, code: ErrorCode, data: ErrorData = {}): never {
  tally.guessed++;
  return failField('username', code, data);
}

function refuseTaken(facts: ImportFacts, tally: Tally, row: ReadRow, line: NewLine): void {
  const there = facts.existing.get(line.username);
  if (there) refuseThere(facts, row, line, there);
  // Once the limit of guesses is reached, no row reveals anything about names.
  if (tally.guessed >= facts.guesses) failField('username', 'TOO_MANY_ATTEMPTS');
  if (facts.taken.has(line.username)) refuseFound(tally, 'USERNAME_EXISTS');
}

function refuseTrial(
  { trials, settings }: ImportFacts,
  tally: Tally,
  { username }: NewLine,
  there: readonly ServerFacts[],
): void {
  if (there.some(({ tried }) => tried.has(username))) {
    const { trial_name_days: days } = settings;
    refuseFound(tally, 'TRIAL_OF_NAME', { days, count: days });
  }
  if (!trials || tally.trials < trials.left) return;
  failField('is_trial', trials.limit.code, trials.limit.data);
}

function planSale(facts: ImportFacts, tally: Tally, row: ReadRow, line: NewLine): PlannedItem {
  const { actor, secrets, today, settings } = facts;
  const { username, is_trial, subscription_months = null } = line;
  refuseTaken(facts, tally, row, line);
  const plan = planOf(facts, planIdOf(facts, row), row.plan === null ? 'plan_id' : 'plan');
  const { plan_id } = plan;
  const term = termOfImportedLine(facts, { ...line, plan_id }, settings.trial_days);
  const { expiry_date, cost } = term;
  const server = serverOf(facts, tally, row, plan);
  const at = new Set([server.id, ...otherServers(plan, server.id)]);
  const there = facts.servers.filter(({ id }) => at.has(id));
  const refusal = there
    .map(({ refusals }) => refusals.get(username))
    .find((one) => one !== undefined);
  if (refusal === 'NAME_TOO_LONG_FOR_CCCAM') failField('username', refusal);
  if (refusal) refuseFound(tally, refusal);
  const server_id = server.id;
  const owner_id = ownerOf(facts, row, line);
  const { is_suspended, added_date } = row;
  if (added_date !== null && added_date > today) failField('added_date', 'INVALID_VALUE');
  if (is_trial) refuseTrial(facts, tally, line, there);
  if (tally.lines >= facts.lines_left) fail('LIMIT_OF_LINES');
  // The row cannot be refused any more, so it uses up its place.
  if (is_trial) tally.trials++;
  tally.lines++;
  tally.places.set(server_id, (tally.places.get(server_id) ?? 0) + 1);
  const line_id = newId();
  const kept: KeptLine = {
    ...line,
    server_id,
    plan_id,
    owner_id,
    password: secrets.seal(line.password, line_id),
    ...(is_suspended && { is_suspended }),
    ...(actor.is_admin && added_date !== null && { added_date }),
  };
  return {
    line_id,
    username,
    before: null,
    after: {
      expiry_date,
      is_trial,
      subscription_months,
      server_id,
      plan_id,
      owner_id,
      ...(is_suspended && { status: [{ label: SUSPENDED }] }),
    },
    cost,
    error: null,
    input: kept,
  };
}

function planRenewalOf(
  facts: ImportFacts,
  row: ReadRow,
  named: NamedLine,
  line: LockedLine,
): PlannedItem {
  const { is_trial, expiry_date, subscription_months } = named;
  if (is_trial) failField('is_trial', 'EXTENDED_BY_MONTHS');
  if (expiry_date !== undefined) failField('expiry_date', 'EXTENDED_BY_MONTHS');
  if (subscription_months === undefined) {
    return failField('subscription_months', 'EXTENDED_BY_MONTHS');
  }
  // A row with other values than the line may be about another customer.
  const [different] = differingCells(facts, row, named, line);
  if (different) failField(different, 'DIFFERS_FROM_LINE');
  const { id: line_id, username } = line;
  const input = { ...({ extends_by: subscription_months } satisfies KeptMonths) };
  const renewal = planRenewal(line, { subscription_months }, facts);
  return { ...renewal, line_id, username, error: null, input };
}

function planFound(facts: ImportFacts, tally: Tally, row: ReadRow): PlannedItem {
  const { line, named } = row;
  const existing = named && facts.existing.get(named.username);
  if (existing) return planRenewalOf(facts, row, named, existing);
  if (line) return planSale(facts, tally, row, line);
  throw refusalOf(row.problem ?? { code: 'INVALID_VALUE', data: {}, field: null });
}

/**
 * The line that a row of a file would create or renew, or its error. Of rows with equal names only
 * the first can be valid. Trials and places are used up in the order of the rows.
 */
export function planRow(facts: ImportFacts, tally: Tally, row: ReadRow): PlannedItem {
  const { username } = row;
  const refused = (error: JobItemError): PlannedItem => ({
    line_id: null,
    username,
    before: null,
    after: null,
    cost: 0,
    input: null,
    error,
  });
  const name = username.normalize('NFC');
  const earlier = tally.rowsByName.get(name);
  if (earlier !== undefined) {
    return refused({ field: 'username', code: 'DUPLICATE_IN_FILE', data: { row: earlier } });
  }
  if (name !== '') tally.rowsByName.set(name, row.number);
  try {
    return planFound(facts, tally, row);
  } catch (error) {
    if (error instanceof Refusal) return refused(itemError(error));
    throw error;
  }
}

type ImportRequest = Extract<BulkRequest, { action: 'import' }>;

/** Rows after which other requests are served. */
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

/** Reads the cells of the rows that are not left out, which needs no database. Throws INVALID_VALUE. */
export async function readRows(file: ImportRequest): Promise<ReadRow[]> {
  if (!areRowNumbers(file)) failField('row_numbers', 'INVALID_VALUE');
  const { rows, row_numbers } = file;
  const read = await eachRow(rows, (row, at) => readRow(row, row_numbers?.[at] ?? at + 1, file));
  return read.filter(({ isLeftOut }) => !isLeftOut);
}

/**
 * The line that each row of a file would create or renew, or its error. Names of other accounts that it finds count as
 * guesses, like those of the name check. Throws ADMIN_ONLY_FIELD, because only administrators adopt lines.
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
