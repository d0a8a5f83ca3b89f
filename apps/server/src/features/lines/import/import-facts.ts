import type { Settings } from '@linekeeper/contract/settings.ts';
import { type SqlBool, sql } from 'kysely';
import type { Tx } from '../../../db/transaction.ts';
import { readGuessesLeft } from '../../../domain/accounts/guesses.ts';
import { readLinesLeft } from '../../../domain/accounts/limits.ts';
import { lineScope, visibleTo } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { checkAccounts, checkNames, type NameRefusal } from '../../../domain/lines/sent-names.ts';
import {
  type ChosenServer,
  countLinesOf,
  freeCapacity,
  isOffered,
  isPlace,
  type Places,
} from '../../../domain/machines/servers.ts';
import { failField } from '../../../platform/errors/refusal.ts';
import { takenNamesLimit } from '../../../platform/rate-limit.ts';
import { readSettings } from '../../../platform/settings.ts';
import { changeableColumns, type LockedLine } from '../change/locked-line.ts';
import { findTakenNames, hasName } from '../list/store.ts';
import { findPlan, type Payer, readPayer } from '../price/price.ts';
import { findTried, readTrialRoom, type TrialRoom } from '../price/trial-limits.ts';
import type { ReadRow } from './import-row.ts';

export interface ServerFacts
  extends Pick<
    ChosenServer,
    'id' | 'protocol' | 'status' | 'closed_to_new_lines' | 'newcamd_ports'
  > {
  server_name: string;
  /** Free places for lines; Infinity without a limit. */
  capacity: number;
  /** Number of lines on the server, if a plan chooses servers by this number; otherwise 0. */
  lines: number;
  /** Names in the file that cannot be used on this server, each with its refusal. */
  refusals: ReadonlyMap<string, NameRefusal>;
  /** Names of the file's trials that had a trial on this server in the last days; empty for administrators. */
  tried: ReadonlySet<string>;
}

/**
 * Data of the panel that is needed to plan an import, such as names in use and prices. It may be
 * out of date when the lines are created, and is checked again at that time.
 */
export interface ImportFacts extends Payer {
  secrets: Pick<Ctx['secrets'], 'open' | 'seal'>;
  /** True if an administrator imports lines that their card servers already have. */
  adopts: boolean;
  /** The servers, newest first. */
  servers: readonly ServerFacts[];
  /** Ids of accounts by id, and by email in small letters. */
  owners: ReadonlyMap<string, string>;
  /** Ids of plans by id, and by name in small letters: of equal names the first that is offered. */
  plan_ids: ReadonlyMap<string, string>;
  taken: ReadonlySet<string>;
  /**
   * The number of other accounts' names that the actor may still find by guessing; Infinity for
   * administrators, who see all.
   */
  guesses: number;
  /** Lines that the actor sees, which rows may renew, by normalised names. */
  existing: ReadonlyMap<string, LockedLine>;
  settings: Pick<Settings, 'trial_days' | 'trial_name_days'>;
  /** The number of trials left; null without a limit. */
  trials: TrialRoom | null;
  /**
   * The number of further lines that the account may have; Infinity for administrators, whose rows have many owners.
   */
  lines_left: number;
}

/** True if the row's cells allow the server. */
function mayGoTo(
  { line, server }: ReadRow,
  { id, server_name }: Pick<ServerFacts, 'id' | 'server_name'>,
): boolean {
  const isNamed = !server || server.toLowerCase() === server_name.toLowerCase();
  return isNamed && (line?.server_id ?? id) === id;
}

/**
 * The plan to which a row refers, by its name or id; undefined without one. Throws PLAN_NOT_FOUND,
 * and INVALID_VALUE for two different plans.
 */
export function planIdOf(
  { plan_ids }: Pick<ImportFacts, 'plan_ids'>,
  { plan, line, named }: ReadRow,
): string | undefined {
  const { plan_id } = line ?? named ?? {};
  if (plan === null) return plan_id;
  const found = plan_ids.get(plan.toLowerCase()) ?? failField('plan', 'PLAN_NOT_FOUND');
  return plan_id === undefined || plan_id === found ? found : failField('plan', 'INVALID_VALUE');
}

const anywhere: Places = { server_ids: [], serves: 'one' };

/** The servers of a row's plan, also if it cannot be sold. */
function placesOf(facts: Pick<ImportFacts, 'actor' | 'plans' | 'plan_ids'>, row: ReadRow): Places {
  const id = row.line?.plan_id ?? facts.plan_ids.get(row.plan?.toLowerCase() ?? '');
  return findPlan(facts, id) ?? anywhere;
}

const namesServer = ({ line, server }: ReadRow) => Boolean(server) || line?.server_id !== undefined;

/**
 * The names of new lines at each of the possible servers of their rows. Rows without a server fill
 * one server after the other, up to the first one without a limit, unless their plan has servers.
 */
function namesAtServers(
  servers: readonly Pick<ServerFacts, 'id' | 'server_name' | 'capacity'>[],
  rows: readonly ReadRow[],
  placesOfRow: (row: ReadRow) => Places,
) {
  const endless = servers.findIndex(({ capacity }) => capacity === Number.POSITIVE_INFINITY);
  const placed = rows.map((row) => ({ row, places: placesOfRow(row) }));
  return servers.flatMap((server, at) => {
    const isBehind = endless >= 0 && at > endless;
    const there = placed.flatMap(({ row, places }) => {
      if (!isPlace(places, server.id)) return [];
      const isFilled = places.serves === 'one' && places.server_ids.length === 0;
      if (isFilled && isBehind && !namesServer(row)) return [];
      return places.serves === 'all' || mayGoTo(row, server) ? [row] : [];
    });
    return there.flatMap(({ line }) => (line ? [{ ...line, server_id: server.id }] : []));
  });
}

/**
 * Reads the servers with their free places and the names from the file that they already have. The
 * rows are not locked, because a plan sells nothing.
 */
async function readServers(
  db: Tx,
  facts: Pick<ImportFacts, 'actor' | 'plans' | 'plan_ids'>,
  rows: readonly ReadRow[],
  adopts: boolean,
  settings: Settings,
): Promise<ServerFacts[]> {
  const { actor, plans } = facts;
  const found = await db
    .selectFrom('cccam_servers')
    .select(['id', 'server_name', 'protocol', 'status', 'closed_to_new_lines', 'newcamd_ports'])
    .select(freeCapacity.as('free'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const servers = found.map(({ free, ...server }) => {
    const takesLines = server.status === 'active' && isOffered(server);
    return { ...server, capacity: takesLines ? (free ?? Number.POSITIVE_INFINITY) : 0 };
  });
  const divided = plans.some(({ serves }) => serves === 'fewest') ? servers : [];
  const lines = await countLinesOf(
    db,
    divided.map(({ id }) => id),
  );
  const active = servers.filter(({ status }) => status === 'active');
  const names = namesAtServers(active, rows, (row) => placesOf(facts, row));
  const trials = names.filter(({ is_trial }) => is_trial && !actor.is_admin);
  // A card server that already has a line has it by its full name, so the first 20 bytes that
  // clients send do not matter.
  const refused = await (adopts ? checkAccounts : checkNames)(db, actor, names);
  const refusedAt = Map.groupBy(refused, ({ server_id }) => server_id);
  const tried = await findTried(db, trials, settings);
  const triedAt = Map.groupBy(tried, ({ server_id }) => server_id);
  return servers.map((server) => ({
    ...server,
    lines: lines.get(server.id) ?? 0,
    refusals: new Map(refusedAt.get(server.id)?.map((one) => [one.username, one.refusal])),
    tried: new Set(triedAt.get(server.id)?.map(({ username }) => username)),
  }));
}

/** Finds lines that the actor sees. Of other lines, the only fact revealed is that their names are taken. */
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
  // If two names differ only before normalisation, the spelling in the file is used.
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

/**
 * The plans by lower-case name and by id. Of plans with the same name, the one that the payer can
 * buy counts, and otherwise the first.
 */
async function readPlanIds(db: Tx, { plans }: Payer): Promise<Map<string, string>> {
  const known = await db
    .selectFrom('plans')
    .select(['id', 'name'])
    .orderBy('position')
    .orderBy('id')
    .execute();
  const offered = new Set(plans.flatMap((plan) => (plan.is_offered ? plan.plan_id : [])));
  // The map keeps the last entry of a key, so the preferred plan comes last.
  const byRank = known.toReversed().sort((a, b) => +offered.has(a.id) - +offered.has(b.id));
  return new Map([
    ...byRank.map(({ id, name }) => [name.toLowerCase(), id] as const),
    ...known.map(({ id }) => [id, id] as const),
  ]);
}

/** Reads the panel's data about the rows of a file. The number of statements is the same for one row and for all. */
export async function readFacts(
  db: Tx,
  ctx: Ctx,
  rows: readonly ReadRow[],
  adopts: boolean,
): Promise<ImportFacts> {
  const { actor, secrets } = ctx;
  const names = rows.map(({ line, named }) => (named ?? line)?.username ?? '');
  const settings = await readSettings(db);
  const payer = await readPayer(db, ctx);
  const plan_ids = await readPlanIds(db, payer);
  return {
    ...payer,
    plan_ids,
    secrets,
    adopts,
    servers: await readServers(db, { ...payer, plan_ids }, rows, adopts, settings),
    taken: await findTakenNames(db, names),
    guesses: actor.is_admin
      ? Number.POSITIVE_INFINITY
      : await readGuessesLeft(db, takenNamesLimit, actor.id),
    existing: await readExisting(db, ctx, names),
    owners: await readOwners(db, rows),
    settings,
    lines_left: actor.is_admin
      ? Number.POSITIVE_INFINITY
      : await readLinesLeft(db, actor.id, payer.today),
    trials: await readTrialRoom(db, actor, payer.today, settings),
  };
}
