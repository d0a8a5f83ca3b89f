import type { BulkRequest } from '@linekeeper/contract/bulk.ts';
import type { NewLine } from '@linekeeper/contract/lines.ts';
import { type SqlBool, sql } from 'kysely';
import type { Ctx } from '../../../core/context.ts';
import { newId } from '../../../core/ids.ts';
import { fail, failField, Refusal } from '../../../core/refusal.ts';
import { readSettings } from '../../../core/settings.ts';
import type { JobItemError } from '../../../db/schema.ts';
import type { Db, Tx } from '../../../db/transaction.ts';
import { termOfNewLine } from '../price.ts';
import { countLiveTrials } from '../store.ts';
import { type ReadRow, readRow } from './import-row.ts';
import { attempt, itemError, type PlannedItem } from './plan.ts';

type FileRows = Pick<Extract<BulkRequest, { action: 'import' }>, 'rows' | 'row_numbers'>;

/** A new line as a job keeps it: its server and owner chosen, its password sealed. */
export type KeptLine = NewLine & { server_id: string; owner_id: string };

type Server = { id: string; server_name: string; status: string };

interface Shop {
  servers: Server[];
  owners: ReadonlySet<string>;
  taken: ReadonlySet<string>;
  trial_days: number;
  trial_limit: number;
}

async function readShop(db: Db, rows: readonly ReadRow[]): Promise<Shop> {
  const names = rows.map(({ line }) => line?.username ?? '');
  const owners = rows.flatMap(({ line }) => line?.owner_id ?? []);
  const [taken, known, servers] = [
    await db
      .selectFrom('users')
      .select('username')
      .where(sql<SqlBool>`username = any(${names}::text[])`)
      .execute(),
    await db
      .selectFrom('auth_users')
      .select('id')
      .where(sql<SqlBool>`id = any(${owners}::uuid[])`)
      .execute(),
    await db
      .selectFrom('cccam_servers')
      .select(['id', 'server_name', 'status'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute(),
  ];
  return {
    servers,
    taken: new Set(taken.map(({ username }) => username)),
    owners: new Set(known.map(({ id }) => id)),
    ...(await readSettings(db)),
  };
}

/** By id, else by name, else the newest active one. */
function serverOf({ servers }: Shop, { line, server: name }: ReadRow): string {
  const sameName = (server: Server) => server.server_name.toLowerCase() === name?.toLowerCase();
  const isMeant = line?.server_id
    ? (server: Server) => server.id === line.server_id
    : name
      ? sameName
      : () => true;
  const meant = servers.filter(isMeant);
  if (meant.length === 0 && (line?.server_id || name)) {
    failField(line?.server_id ? 'server_id' : 'server', 'SERVER_NOT_FOUND');
  }
  return meant.find(({ status }) => status === 'active')?.id ?? fail('NO_ACTIVE_SERVERS');
}

/** Whose the line is to be. */
function ownerOf({ owners }: Shop, { actor }: Ctx, { owner_id = actor.id }: NewLine): string {
  if (owner_id === actor.id) return owner_id;
  if (!actor.is_admin) failField('owner_id', 'ADMIN_ONLY_FIELD');
  return owners.has(owner_id) ? owner_id : failField('owner_id', 'USER_NOT_FOUND');
}

/** Goes through a file from the top: a name's first row has it, and the first trials are within the limit. */
class ImportPlanner {
  readonly #ctx: Ctx;
  readonly #shop: Shop;
  readonly #rowsByName = new Map<string, number>();
  #trials: number;

  constructor(ctx: Ctx, shop: Shop, liveTrials: number) {
    this.#ctx = ctx;
    this.#shop = shop;
    this.#trials = liveTrials;
  }

  plan(row: ReadRow, position: number): PlannedItem {
    const refused = (error: JobItemError): PlannedItem => ({
      line_id: null,
      username: row.username,
      before: null,
      after: null,
      cost: 0,
      input: null,
      error,
    });
    const { line } = row;
    if (!line) return refused(row.problem ?? { code: 'INVALID_VALUE', data: {}, field: null });
    const planned = attempt(() => this.#sell(row, line, position));
    return planned instanceof Refusal ? refused(itemError(planned)) : planned;
  }

  #sell(row: ReadRow, line: NewLine, position: number): PlannedItem {
    const { actor, secrets, today } = this.#ctx;
    const { username, is_trial, subscription_months = null } = line;
    const earlier = this.#rowsByName.get(username);
    if (earlier !== undefined) failField('username', 'DUPLICATE_IN_FILE', { row: earlier });
    this.#rowsByName.set(username, position);
    if (this.#shop.taken.has(username)) failField('username', 'USERNAME_EXISTS');
    const { expiry_date, cost } = termOfNewLine(actor, line, today(), this.#shop.trial_days);
    const server_id = serverOf(this.#shop, row);
    const owner_id = ownerOf(this.#shop, this.#ctx, line);
    if (is_trial) this.#countTrial();
    const line_id = newId();
    const password = secrets.seal(line.password, line_id);
    return {
      line_id,
      username,
      before: null,
      after: { expiry_date, is_trial, subscription_months, server_id, owner_id },
      cost: actor.is_admin ? 0 : cost,
      error: null,
      input: { ...line, server_id, owner_id, password } satisfies KeptLine,
    };
  }

  #countTrial(): void {
    const { trial_limit: limit } = this.#shop;
    if (!this.#ctx.actor.is_admin && this.#trials >= limit) {
      failField('is_trial', 'TRIAL_LIMIT_REACHED', { limit });
    }
    this.#trials++;
  }
}

/** One number for each row, upwards. */
function refuseOtherNumbers({ rows, row_numbers }: FileRows): void {
  if (!row_numbers) return;
  const rises = row_numbers.every((number, index) => number > (row_numbers[index - 1] ?? 0));
  if (!rises || row_numbers.length !== rows.length) failField('row_numbers', 'INVALID_VALUE');
}

/** What each row of a file would become, or why it cannot. */
export async function planImport(tx: Tx, ctx: Ctx, file: FileRows): Promise<PlannedItem[]> {
  refuseOtherNumbers(file);
  const { rows, row_numbers } = file;
  const read = rows.map(readRow);
  const liveTrials = await countLiveTrials(tx, ctx.actor.id, ctx.today());
  const planner = new ImportPlanner(ctx, await readShop(tx, read), liveTrials);
  return read.map((row, index) => planner.plan(row, row_numbers?.[index] ?? index + 1));
}
