import type { LineChanges } from '@linekeeper/contract/line-changes.ts';
import { fail, Refusal } from '../../../core/refusal.ts';
import { chooseServer } from '../../../core/servers.ts';
import type { JobItemError, ServerRow } from '../../../db/schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import { describedBy } from '../edit-line.ts';
import { type Changer, extension } from '../extend-line.ts';
import type { ChangeableLine, LineUpdate } from '../locked-line.ts';
import { chooseOwner } from '../owner.ts';
import { type Move, movedHostPort, refuseMoveByOthers } from '../place-line.ts';
import { checkMonths, type Wish } from '../price.ts';

export type Fields = Record<string, unknown>;

/** What is done to one line: the fields that change, as they are and as they become. */
export interface Plan {
  before: Fields | null;
  after: Fields | null;
  cost: number;
}

/** One row of a request before anything was done. */
export interface PlannedItem extends Plan {
  line_id: string | null;
  username: string;
  /** null: it can be done. */
  error: JobItemError | null;
  input: Fields | null;
}

/** The work of a job that changes lines, with what it is about. */
export type Work =
  | ({ action: 'renew' } & Wish)
  | ({ action: 'edit' } & Pick<LineChanges, 'notes' | 'status'>)
  | ({ action: 'move' } & Move)
  | { action: 'delete' }
  | { action: 'export' };

export type Planner = (line: ChangeableLine) => Plan;

/** The same text for the same value: jsonb keeps keys in an order of its own. */
function textOf(value: unknown): string {
  return JSON.stringify(value ?? null, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
const same = (one: unknown, other: unknown) => textOf(one) === textOf(other);

/** The fields of `changes` that differ from the line's. Throws ALREADY_SO where none does. */
export function differences(line: ChangeableLine, changes: LineUpdate): Omit<Plan, 'cost'> {
  const now = line as unknown as Fields;
  const changed = Object.entries(changes).filter(([field, value]) => !same(now[field], value));
  if (changed.length === 0) fail('ALREADY_SO');
  return {
    before: Object.fromEntries(changed.map(([field]) => [field, now[field]])),
    after: Object.fromEntries(changed),
  };
}

export function planRenewal(changer: Changer, line: ChangeableLine, wish: Wish): Plan {
  const { cost, changes } = extension(changer, line, wish);
  return { ...differences(line, changes), cost: changer.actor.is_admin ? 0 : cost };
}

export function planDeletion({ expiry_date, owner_id, server_id }: ChangeableLine): Plan {
  return { before: { expiry_date, owner_id, server_id }, after: null, cost: 0 };
}

type Address = Pick<ServerRow, 'host_ip' | 'port'>;

async function readAddresses(tx: Tx): Promise<Map<string, Address>> {
  const servers = await tx.selectFrom('cccam_servers').select(['id', 'host_ip', 'port']).execute();
  return new Map(servers.map((server) => [server.id, server]));
}

/** Refuses what no line could be moved by: the target is looked up once for all of them. */
async function moves(tx: Tx, { actor }: Changer, move: Move): Promise<Planner> {
  refuseMoveByOthers(actor, move);
  if (move.owner_id !== undefined) await chooseOwner(tx, actor, move.owner_id);
  const target =
    move.server_id === undefined
      ? undefined
      : await chooseServer(tx, move.server_id, 'NO_ACTIVE_CCCAM_SERVERS');
  const addresses = target ? await readAddresses(tx) : undefined;
  return (line) => {
    const left = target && target.id !== line.server_id && addresses?.get(line.server_id);
    const elsewhere = left
      ? { server_id: target.id, host_port: movedHostPort(line.host_port, left, target) }
      : {};
    const owner = move.owner_id === undefined ? {} : { owner_id: move.owner_id };
    return { ...differences(line, { ...owner, ...elsewhere }), cost: 0 };
  };
}

/** How each line would fare; throws what refuses the request as a whole. */
export async function plannerOf(tx: Tx, changer: Changer, work: Work): Promise<Planner> {
  switch (work.action) {
    case 'renew':
      checkMonths(changer.actor, work.subscription_months);
      return (line) => planRenewal(changer, line, work);
    case 'edit': {
      const changes = describedBy(work);
      return (line) => ({ ...differences(line, changes), cost: 0 });
    }
    case 'move':
      return moves(tx, changer, work);
    case 'delete':
      return planDeletion;
    case 'export':
      return () => ({ before: null, after: null, cost: 0 });
  }
}

/** Why a line is not changed, without what only a form needs. */
export function itemError({ body }: Refusal): JobItemError {
  const { field_codes: _, ...data } = body.data;
  return { code: body.code, data, field: Object.keys(body.fields ?? {})[0] ?? null };
}

/** What `work` does, or why it refuses. */
export function attempt<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** True for a line that is exactly as a job left it. */
export function isStill(line: ChangeableLine, after: Fields): boolean {
  const now = line as unknown as Fields;
  return Object.entries(after).every(([field, value]) => same(now[field], value));
}
