import type { Day } from '@linekeeper/contract/dates.ts';
import type { ErrorCode, ErrorData } from '@linekeeper/contract/errors.ts';
import { SUSPENDED } from '@linekeeper/contract/fields/line-fields.ts';
import type { BulkRequest } from '@linekeeper/contract/lines/bulk.ts';
import type { NamedLine, NewLine } from '@linekeeper/contract/lines/lines.ts';
import { type SqlBool, sql } from 'kysely';
import type { JobItemError } from '../../../db/schema/job-schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import { consumeGuesses, readGuessesLeft } from '../../../domain/accounts/guesses.ts';
import { lineScope, type SignedIn, visibleTo } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import {
  findHeldNames,
  findNamesByHand,
  findSharedNames,
  refuseLongName,
} from '../../../domain/delivery/sent-names.ts';
import {
  type ChosenServer,
  isOffered,
  readFreeCapacity,
} from '../../../domain/delivery/servers.ts';
import { catchRefusal, fail, failField, Refusal } from '../../../platform/errors/refusal.ts';
import { newId } from '../../../platform/ids.ts';
import { takenNamesLimit } from '../../../platform/rate-limit.ts';
import { readSettings } from '../../../platform/settings.ts';
import { changeableColumns, type LockedLine } from '../change/locked-line.ts';
import { itemError, type PlannedItem, planRenewal } from '../change/plan.ts';
import { findTakenNames, hasName } from '../list/store.ts';
import { priceImportedLine } from '../price/price.ts';
import { findTried, readTrialRoom, type TrialRoom } from '../price/trial-limits.ts';
import { type ReadRow, readRow } from './import-row.ts';

type ImportRequest = Extract<BulkRequest, { action: 'import' }>;
type FileRows = Pick<ImportRequest, 'rows' | 'row_numbers' | 'existing' | 'states' | 'date_order'>;

/** A new line as stored with the job: server and owner chosen, password encrypted. */
export type KeptLine = NewLine & {
  server_id: string;
  owner_id: string;
  /** True if the line did not run on the panel that it comes from. */
  is_suspended?: boolean;
  /** The day on which it was added there, where the file says so. */
  added_date?: Day;
};

/** The months by which a row extends a line that exists, as stored with the job. */
export interface KeptMonths {
  extends_by: number;
}

interface Server
  extends Pick<
    ChosenServer,
    'id' | 'protocol' | 'status' | 'closed_to_new_lines' | 'newcamd_ports'
  > {
  server_name: string;
  /** For rows of the file; Infinity without a limit. */
  capacity: number;
  /** Of the file's names, those that the operator has there by hand; none for administrators. */
  byHand: ReadonlySet<string>;
  /** Names by which other lines still work there. */
  held: ReadonlySet<string>;
  /** Of the file's names, those that share with another what CCcam clients send of them. */
  shared: ReadonlySet<string>;
  /** Names of the file's trials that had one there lately; none for administrators. */
  tried: ReadonlySet<string>;
}

interface ImportLookups {
  servers: Server[];
  /** Ids of accounts by id, and by email in small letters. */
  owners: ReadonlyMap<string, string>;
  taken: ReadonlySet<string>;
  /** Names of others that may be found yet; Infinity for administrators, who see all. */
  guesses: number;
  /** Lines that the actor sees, which rows may extend, by normalised names. */
  existing: ReadonlyMap<string, LockedLine>;
  trial_days: number;
  /** null means no limit. */
  trials: TrialRoom | null;
  /** For how long a name has no second trial on its server. */
  trial_name_days: number;
}

/** Names of the file's trials that had one lately, by the server that they had it on. */
async function readTried(db: Tx, servers: readonly { id: string }[], names: readonly string[]) {
  const asked = servers.flatMap(({ id: server_id }) =>
    names.map((username) => ({ id: newId(), username, server_id })),
  );
  const { ids, days } = await findTried(db, asked);
  const found = Map.groupBy(
    asked.filter(({ id }) => ids.has(id)),
    ({ server_id }) => server_id,
  );
  const on = (id: string) => new Set(found.get(id)?.map(({ username }) => username));
  return { on, days };
}

/**
 * Newest first, each with the places that it has left and what it has of the file's names: asked for once, and
 * without a lock, because a plan sells nothing; whatever it finds is asked again when the lines are made.
 */
async function readServers(db: Tx, { is_admin }: SignedIn, rows: readonly ReadRow[]) {
  const found = await db
    .selectFrom('cccam_servers')
    .select(['id', 'server_name', 'protocol', 'status', 'closed_to_new_lines', 'max_lines'])
    .select('newcamd_ports')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const lines = rows.flatMap(({ line }) => line ?? []);
  const names = lines.map(({ username }) => username);
  const trials = lines.flatMap(({ is_trial, username }) => (is_trial ? [username] : []));
  const active = found.filter(({ status }) => status === 'active');
  const tried = await readTried(db, active, is_admin ? [] : trials);
  const none = new Set<string>();
  const servers: Server[] = [];
  for (const server of found) {
    const { id } = server;
    const takesLines = server.status === 'active' && isOffered(server);
    servers.push({
      ...server,
      capacity: takesLines ? await readFreeCapacity(db, server) : 0,
      byHand: takesLines && !is_admin ? await findNamesByHand(db, id, names) : none,
      held: takesLines ? await findHeldNames(db, id, names) : none,
      shared: takesLines ? await findSharedNames(db, id, names) : none,
      tried: tried.on(id),
    });
  }
  return { servers, trial_name_days: tried.days };
}

/** Finds lines that the actor sees: of others nothing is said but that their names are taken. */
async function readExisting(
  tx: Tx,
  { actor }: Ctx,
  names: readonly string[],
): Promise<Map<string, LockedLine>> {
  const lines = await tx
    .selectFrom('users')
    .select([...changeableColumns, 'users.password'])
    .where(visibleTo(lineScope(actor), 'users.owner_id'))
    .where(hasName(names))
    .execute();
  const byName = new Map(lines.map((line) => [line.username.normalize('NFC'), line]));
  // Of two names that differ in normal form only, the one as it is written counts.
  for (const line of lines) if (names.includes(line.username)) byName.set(line.username, line);
  return byName;
}

async function readImportLookups(
  db: Tx,
  ctx: Ctx,
  rows: readonly ReadRow[],
): Promise<ImportLookups> {
  const { actor, today } = ctx;
  const names = rows.map(({ line, named }) => (named ?? line)?.username ?? '');
  const owners = rows.flatMap(({ line, named, owner }) => [
    (named ?? line)?.owner_id ?? '',
    owner?.named.toLowerCase() ?? '',
  ]);
  const [taken, known, servers] = [
    await findTakenNames(db, names),
    await db
      .selectFrom('auth_users')
      .select(['id', 'email'])
      .where(sql<SqlBool>`id::text = any(${owners}::text[]) or email = any(${owners}::text[])`)
      .execute(),
    await readServers(db, actor, rows),
  ];
  return {
    ...servers,
    taken,
    guesses: await readGuesses(db, actor),
    existing: await readExisting(db, ctx, names),
    owners: new Map(
      known.flatMap(({ id, email }) => [
        [id, id],
        [email.toLowerCase(), id],
      ]),
    ),
    trial_days: (await readSettings(db)).trial_days,
    trials: await readTrialRoom(db, actor, today()),
  };
}

/**
 * The server named by id, by name or by both consistently; else the newest active one. The first of
 * them that still has a place takes the row.
 */
function serverOf({ servers }: ImportLookups, { line, server: name }: ReadRow): Server {
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
  const active = meant.filter(({ status }) => status === 'active');
  if (active.length === 0) fail('NO_ACTIVE_SERVERS');
  const withCapacity = active.find(({ capacity }) => capacity > 0);
  if (withCapacity) return withCapacity;
  if (!server_id && !name) fail('NO_SERVER_TAKES_LINES');
  const field = server_id ? 'server_id' : 'server';
  const isClosed = !active.some(isOffered);
  return isClosed
    ? failField(field, 'SERVER_CLOSED')
    : failField(field, 'SERVER_FULL', { left: 0 });
}

/**
 * The owner of the new line. Only administrators may name another account; a row that does is
 * refused otherwise, rather than assigned to the actor.
 */
function ownerOf(
  { owners }: ImportLookups,
  { actor }: Ctx,
  { owner }: ReadRow,
  line: NewLine,
): string {
  const named = owner?.named.toLowerCase();
  const isOwn = named === actor.email.toLowerCase() || named === actor.id;
  if (owner && !isOwn && !actor.is_admin) failField(owner.field, 'ADMIN_ONLY_FIELD');
  const ofName = owner && (isOwn ? actor.id : owners.get(named ?? ''));
  if (owner && !ofName) failField(owner.field, 'USER_NOT_FOUND');
  const { owner_id = ofName ?? actor.id } = line;
  // Two columns that mean two accounts leave none.
  if (owner && ofName !== owner_id) failField(owner.field, 'INVALID_VALUE');
  if (owner_id === actor.id) return owner_id;
  if (!actor.is_admin) failField('owner_id', 'ADMIN_ONLY_FIELD');
  return owners.get(owner_id) ?? failField('owner_id', 'USER_NOT_FOUND');
}

/**
 * Goes through the rows in order: of equal names only the first row can be valid, and the first trials count
 * towards the limit.
 */
class ImportPlanner {
  readonly #tx: Tx;
  readonly #ctx: Ctx;
  readonly #lookups: ImportLookups;
  readonly #rowsByName = new Map<string, number>();
  #trials = 0;
  /** Names of others that were found. */
  guessed = 0;

  constructor(tx: Tx, ctx: Ctx, lookups: ImportLookups) {
    this.#tx = tx;
    this.#ctx = ctx;
    this.#lookups = lookups;
  }

  async plan(row: ReadRow, position: number): Promise<PlannedItem> {
    const refused = (error: JobItemError): PlannedItem => ({
      line_id: null,
      username: row.username,
      before: null,
      after: null,
      cost: 0,
      input: null,
      error,
    });
    const { line, named } = row;
    const name = row.username.normalize('NFC');
    const earlier = this.#rowsByName.get(name);
    if (earlier !== undefined) {
      return refused({ field: 'username', code: 'DUPLICATE_IN_FILE', data: { row: earlier } });
    }
    if (name !== '') this.#rowsByName.set(name, position);
    const existing = named && this.#lookups.existing.get(named.username);
    if (!existing && !line) {
      return refused(row.problem ?? { code: 'INVALID_VALUE', data: {}, field: null });
    }
    const planned = await catchRefusal(() => {
      if (existing) return this.#extend(row, named, existing);
      return this.#sell(row, line as NewLine);
    });
    return planned instanceof Refusal ? refused(itemError(planned)) : planned;
  }

  async #extend(row: ReadRow, named: NamedLine, line: LockedLine): Promise<PlannedItem> {
    const { is_trial, expiry_date, subscription_months } = named;
    if (is_trial) failField('is_trial', 'EXTENDED_BY_MONTHS');
    if (expiry_date !== undefined) failField('expiry_date', 'EXTENDED_BY_MONTHS');
    if (subscription_months === undefined) {
      return failField('subscription_months', 'EXTENDED_BY_MONTHS');
    }
    this.#refuseAnother(row, named, line);
    const { plan } = await planRenewal(this.#tx, this.#ctx, line, { subscription_months });
    return {
      ...plan,
      line_id: line.id,
      username: line.username,
      error: null,
      input: { ...({ extends_by: subscription_months } satisfies KeptMonths) },
    };
  }

  #serverOf({ server_id }: LockedLine): string {
    return this.#lookups.servers.find(({ id }) => id === server_id)?.server_name ?? server_id;
  }

  /** The cells that differ from the line. */
  #differences(
    { server, owner, is_suspended }: ReadRow,
    { password, server_id, owner_id, expiry_date }: NamedLine,
    line: LockedLine,
  ): string[] {
    const { owners } = this.#lookups;
    const isSame =
      password === undefined || this.#ctx.secrets.open(line.password, line.id) === password;
    const differing = [
      ['server', server && this.#serverOf(line).toLowerCase() !== server.toLowerCase()],
      ['server_id', server_id && server_id !== line.server_id],
      [owner?.field, owner && owners.get(owner.named.toLowerCase()) !== line.owner_id],
      ['owner_id', owner_id && owner_id !== line.owner_id],
      ['status', is_suspended && !line.suspension],
      ['password', !isSame],
      ['expiry_date', expiry_date !== undefined && expiry_date !== line.expiry_date],
    ] as const;
    return differing.flatMap(([field = '', differs]) => (differs ? [field] : []));
  }

  /** A row that says something else of the line may mean another customer. */
  #refuseAnother(row: ReadRow, named: NamedLine, line: LockedLine): void {
    const [first] = this.#differences(row, named, line);
    if (first) failField(first, 'DIFFERS_FROM_LINE');
  }

  /** Says of a line that the actor sees what the command says of one that is there already. */
  #refuseThere(row: ReadRow, said: NewLine, line: LockedLine): never {
    const fields = this.#differences(row, said, line);
    if (fields.some((field) => field.startsWith('server'))) {
      fail('LINE_EXISTS_ELSEWHERE', { server: this.#serverOf(line) });
    }
    if (fields.length === 0) fail('LINE_EXISTS');
    const spoken = fields.map((field) => field.replace(/_.*/, ''));
    return fail('LINE_EXISTS_OTHERWISE', { differing: [...new Set(spoken)].join(', ') });
  }

  async #sell(row: ReadRow, line: NewLine): Promise<PlannedItem> {
    const { actor, secrets } = this.#ctx;
    const { username, is_trial, subscription_months = null } = line;
    this.#refuseTaken(row, line);
    const { trial_days } = this.#lookups;
    const { expiry_date, cost } = await priceImportedLine(this.#tx, this.#ctx, line, trial_days);
    const server = serverOf(this.#lookups, row);
    refuseLongName(username, server);
    const isThere = server.byHand.has(username) || server.held.has(username);
    if (isThere) this.#refuseFound('USERNAME_EXISTS');
    if (server.shared.has(username)) this.#refuseFound('NAME_SHARES_FIRST_20');
    const server_id = server.id;
    const owner_id = ownerOf(this.#lookups, this.#ctx, row, line);
    const { is_suspended, added_date } = row;
    if (added_date !== null && added_date > this.#ctx.today()) {
      failField('added_date', 'INVALID_VALUE');
    }
    const { trial_name_days: days } = this.#lookups;
    if (is_trial && server.tried.has(username)) this.#refuseFound('TRIAL_OF_NAME', { days });
    // A refused row takes no place and no trial of those behind it: nothing is refused from here on.
    if (is_trial) this.#countTrial();
    server.capacity--;
    const line_id = newId();
    const password = secrets.seal(line.password, line_id);
    const isOld = actor.is_admin && added_date !== null;
    const about = {
      ...(is_suspended && { is_suspended }),
      ...(isOld && { added_date }),
    };
    return {
      line_id,
      username,
      before: null,
      after: {
        ...{ expiry_date, is_trial, subscription_months, server_id, owner_id },
        ...(is_suspended && { status: [{ label: SUSPENDED }] }),
      },
      cost: actor.is_admin ? 0 : cost,
      error: null,
      input: { ...line, server_id, owner_id, password, ...about } satisfies KeptLine,
    };
  }

  /** Beyond the limit of guesses nothing is said of any name. */
  #refuseGuess(): void {
    if (this.guessed >= this.#lookups.guesses) failField('username', 'TOO_MANY_ATTEMPTS');
  }

  #refuseTaken(row: ReadRow, line: NewLine): void {
    const { taken, existing } = this.#lookups;
    const { username } = line;
    const there = existing.get(username);
    if (there) this.#refuseThere(row, line, there);
    this.#refuseGuess();
    if (taken.has(username)) this.#refuseFound('USERNAME_EXISTS');
  }

  /** Refuses a name that tells of a line of somebody else. */
  #refuseFound(code: ErrorCode, data: ErrorData = {}): never {
    this.guessed++;
    failField('username', code, data);
  }

  #countTrial(): void {
    const { trials } = this.#lookups;
    if (trials && this.#trials >= trials.left) {
      const { code, data } = trials.limit;
      failField('is_trial', code, data);
    }
    this.#trials++;
  }
}

/** Row numbers must be as many as the rows, and increasing. */
function refuseOtherNumbers({ rows, row_numbers }: FileRows): void {
  if (!row_numbers) return;
  const rises = row_numbers.every((number, index) => number > (row_numbers[index - 1] ?? 0));
  if (!rises || row_numbers.length !== rows.length) failField('row_numbers', 'INVALID_VALUE');
}

/** How many names of others the account may still find. */
async function readGuesses(db: Tx, actor: SignedIn): Promise<number> {
  if (actor.is_admin) return Number.POSITIVE_INFINITY;
  return readGuessesLeft(db, takenNamesLimit, actor.id);
}

/**
 * The line that each row of a file would create or extend, or its error. Names of others that it finds
 * count like those of the name check.
 */
export async function planImport(tx: Tx, ctx: Ctx, file: FileRows): Promise<PlannedItem[]> {
  refuseOtherNumbers(file);
  const { rows, row_numbers } = file;
  const read = rows.map((row) => readRow(row, file));
  const planner = new ImportPlanner(tx, ctx, await readImportLookups(tx, ctx, read));
  const planned: PlannedItem[] = [];
  for (const [index, row] of read.entries()) {
    planned.push(await planner.plan(row, row_numbers?.[index] ?? index + 1));
  }
  if (planner.guessed > 0) {
    await consumeGuesses(tx, takenNamesLimit, ctx.actor.id, planner.guessed);
  }
  return planned;
}
