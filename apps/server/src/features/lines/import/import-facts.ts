import { monthsToCover } from '@linekeeper/contract/dates.ts';
import type { NewLine } from '@linekeeper/contract/lines/lines.ts';
import { type SqlBool, sql } from 'kysely';
import type { Tx } from '../../../db/transaction.ts';
import { readGuessesLeft } from '../../../domain/accounts/guesses.ts';
import { lineScope, type SignedIn, visibleTo } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { checkNames, type NameRefusals } from '../../../domain/lines/sent-names.ts';
import {
  type ChosenServer,
  isOffered,
  readFreeCapacity,
} from '../../../domain/machines/servers.ts';
import { newId } from '../../../platform/ids.ts';
import { takenNamesLimit } from '../../../platform/rate-limit.ts';
import { readSettings } from '../../../platform/settings.ts';
import { changeableColumns, type LockedLine } from '../change/locked-line.ts';
import { findTakenNames, hasName } from '../list/store.ts';
import { findTried, readTrialRoom, type TrialRoom } from '../price/trial-limits.ts';
import type { ReadRow } from './import-row.ts';

export interface ServerFacts
  extends Pick<
    ChosenServer,
    'id' | 'protocol' | 'status' | 'closed_to_new_lines' | 'newcamd_ports'
  > {
  server_name: string;
  /** Free places; Infinity without a limit. */
  capacity: number;
  /** Of the file's names, those that cannot be given out there. */
  refusals: NameRefusals;
  /** Names of the file's trials that had one there lately; none for administrators. */
  tried: ReadonlySet<string>;
}

/** All that a plan knows of the panel: whatever it finds is asked again when the lines are made. */
export interface ImportFacts extends Pick<Ctx, 'actor' | 'today'> {
  secrets: Pick<Ctx['secrets'], 'open' | 'seal'>;
  /** An administrator imports lines that their card servers have already. */
  adopts: boolean;
  /** Newest first. */
  servers: readonly ServerFacts[];
  /** Ids of accounts by id, and by email in small letters. */
  owners: ReadonlyMap<string, string>;
  taken: ReadonlySet<string>;
  /** Names of others that may be found yet; Infinity for administrators, who see all. */
  guesses: number;
  /** Lines that the actor sees, which rows may extend, by normalised names. */
  existing: ReadonlyMap<string, LockedLine>;
  /** Credits by months. */
  prices: ReadonlyMap<number, number>;
  trial_days: number;
  /** null means no limit. */
  trials: TrialRoom | null;
  /** For how long a name has no second trial on its server. */
  trial_name_days: number;
}

/** True for a server that the row may go to, as far as the row says it. */
function mayGoTo(
  { line, server }: ReadRow,
  { id, server_name }: Pick<ServerFacts, 'id' | 'server_name'>,
): boolean {
  const isNamed = !server || server.toLowerCase() === server_name.toLowerCase();
  return isNamed && (line?.server_id ?? id) === id;
}

const namesServer = ({ line, server }: ReadRow) => Boolean(server) || line?.server_id !== undefined;

/** A card server that has a line already has it by its name, whatever clients send of that. */
export const adopted = ['long', 'shared'] as const;

/** Names of the trials among these lines that had one on the server lately. */
async function readTried(db: Tx, server_id: string, lines: readonly NewLine[]) {
  const trials = lines
    .filter(({ is_trial }) => is_trial)
    .map(({ username }) => ({ id: newId(), username, server_id }));
  const { ids } = await findTried(db, trials);
  return new Set(trials.filter(({ id }) => ids.has(id)).map(({ username }) => username));
}

/**
 * The servers with the places that they have left and what they have of the file's names: asked for once, and
 * without a lock, because a plan sells nothing.
 */
async function readServers(db: Tx, actor: SignedIn, rows: readonly ReadRow[], adopts: boolean) {
  const found = await db
    .selectFrom('cccam_servers')
    .select(['id', 'server_name', 'protocol', 'status', 'closed_to_new_lines', 'max_lines'])
    .select('newcamd_ports')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const servers: ServerFacts[] = [];
  // Rows that name no server fill one after the other, and none goes further than to the first without a limit.
  let isEndless = false;
  for (const { max_lines, ...server } of found) {
    const { id: server_id, status } = server;
    const takesLines = status === 'active' && isOffered(server);
    const capacity = takesLines ? await readFreeCapacity(db, { id: server_id, max_lines }) : 0;
    const there = isEndless ? rows.filter(namesServer) : rows;
    const lines = there.flatMap((row) => (row.line && mayGoTo(row, server) ? [row.line] : []));
    const names = status === 'active' ? lines.map(({ username }) => username) : [];
    const except = adopts ? adopted : [];
    const refusals = await checkNames(db, { server_id, names, actor, except });
    const tried = await readTried(db, server_id, actor.is_admin ? [] : lines);
    servers.push({ ...server, capacity, refusals, tried });
    isEndless ||= capacity === Number.POSITIVE_INFINITY;
  }
  return servers;
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
  const written = new Set(names);
  for (const line of lines) if (written.has(line.username)) byName.set(line.username, line);
  return byName;
}

async function readOwners(db: Tx, rows: readonly ReadRow[]): Promise<Map<string, string>> {
  const named = rows.flatMap(({ line, named, owner }) => [
    (named ?? line)?.owner_id ?? '',
    owner?.named.toLowerCase() ?? '',
  ]);
  const asked = [...new Set(named)];
  const known = await db
    .selectFrom('auth_users')
    .select(['id', 'email'])
    .where(sql<SqlBool>`id::text = any(${asked}::text[]) or email = any(${asked}::text[])`)
    .execute();
  return new Map(
    known.flatMap(({ id, email }) => [
      [id, id],
      [email.toLowerCase(), id],
    ]),
  );
}

/** What the months of the rows cost, and those that cover their days. */
async function readPrices(db: Tx, ctx: Ctx, rows: readonly ReadRow[]) {
  const today = ctx.today();
  const months = rows.flatMap(({ line, named }) => {
    const { subscription_months = 0, expiry_date } = line ?? named ?? {};
    return expiry_date ? monthsToCover(today, expiry_date) : subscription_months;
  });
  const prices = new Map<number, number>();
  for (const term of new Set(months)) {
    if (term > 0) prices.set(term, await ctx.priceFor(db, ctx.actor, term));
  }
  return prices;
}

/** What the panel knows of the rows of a file: as many statements for one row as for all. */
export async function readFacts(
  db: Tx,
  ctx: Ctx,
  rows: readonly ReadRow[],
  adopts: boolean,
): Promise<ImportFacts> {
  const { actor, secrets, today } = ctx;
  const names = rows.map(({ line, named }) => (named ?? line)?.username ?? '');
  const { trial_days, trial_name_days } = await readSettings(db);
  return {
    actor,
    secrets,
    today,
    adopts,
    servers: await readServers(db, actor, rows, adopts),
    taken: await findTakenNames(db, names),
    guesses: actor.is_admin
      ? Number.POSITIVE_INFINITY
      : await readGuessesLeft(db, takenNamesLimit, actor.id),
    existing: await readExisting(db, ctx, names),
    owners: await readOwners(db, rows),
    prices: await readPrices(db, ctx, rows),
    trial_days,
    trial_name_days,
    trials: await readTrialRoom(db, actor, today()),
  };
}
