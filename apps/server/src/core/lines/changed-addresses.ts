import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import type { Cell } from '../csv/csv.ts';
import { notify } from '../mail/notify.ts';

/** Lines named in a notification; the others are counted. */
const NAMED = 10;

/** SQL condition on a row of `job_items`: the customer of its line must enter another address. */
export const isReaddressed = sql<SqlBool>`(state = 'done' and after is not null
  and before -> 'host_port' is distinct from after -> 'host_port')`;

export interface ChangedAddress {
  old_address: string;
  new_address: string;
}

/** The first address of a line that became another one; null where all stay. */
export function changedAddress(
  before: readonly string[],
  after: readonly string[],
): ChangedAddress | null {
  const place = before.findIndex((address, index) => address !== after[index]);
  const [old_address, new_address] = [before[place], after[place] ?? after[0]];
  return old_address && new_address ? { old_address, new_address } : null;
}

interface ToTell extends ChangedAddress {
  owner_id: string;
  line_id: string;
  username: string;
  server_id: string;
}

/** One notification for an owner; whoever changed the lines is not told. */
async function tellOwner(tx: Tx, lines: readonly ToTell[]): Promise<void> {
  const [first] = lines;
  if (!first) return;
  const { owner_id, old_address, new_address } = first;
  const isAlike = <Field extends keyof ToTell>(field: Field) =>
    lines.every((line) => line[field] === first[field]);
  const isOneAddress = isAlike('old_address') && isAlike('new_address');
  await notify(tx, [
    {
      event: 'address_changed',
      facts: {
        count: lines.length,
        named: lines.slice(0, NAMED).map(({ username }) => username),
        addresses: isOneAddress ? { old_address, new_address } : null,
      },
      account_id: owner_id,
      link:
        lines.length === 1
          ? `/users/edit/${first.line_id}`
          : `/users/all${isAlike('server_id') ? `?server=${first.server_id}` : ''}`,
    },
  ]);
}

/** Tells the owner of one line; nobody where its addresses stay or the owner changed them. */
export async function tellOwnerOfLine(
  tx: Tx,
  actorId: string,
  line: { id: string; username: string; owner_id: string; server_id: string },
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const changed = changedAddress(before, after);
  if (changed && line.owner_id !== actorId) {
    await tellOwner(tx, [{ ...line, ...changed, line_id: line.id }]);
  }
}

/** Tells each owner of lines that the job gave another address, once, in the transaction that ends it. */
export async function tellOwnersOfJob(tx: Tx, jobId: string, actorId: string): Promise<void> {
  const rows = await tx
    .selectFrom('job_items')
    .innerJoin('users', 'users.id', 'job_items.line_id')
    .innerJoin('auth_users as owner', 'owner.id', 'users.owner_id')
    .select(['users.owner_id', 'users.id as line_id', 'users.username', 'users.server_id'])
    .select(['job_items.before', 'job_items.after'])
    .where('job_items.job_id', '=', jobId)
    .where(isReaddressed)
    .where('users.owner_id', '!=', actorId)
    .where('owner.banned', '=', false)
    .orderBy('users.username')
    .execute();
  const toTell = rows.flatMap(({ before, after, ...line }): ToTell[] => {
    const changed = changedAddress(addressesOf(before), addressesOf(after));
    return changed ? [{ ...line, ...changed }] : [];
  });
  for (const lines of Map.groupBy(toTell, ({ owner_id }) => owner_id).values()) {
    await tellOwner(tx, lines);
  }
}

/** The addresses in one half of a job's row. */
export function addressesOf(fields: Record<string, unknown> | null): string[] {
  const stored = fields?.host_port;
  return Array.isArray(stored) ? stored.filter((address) => typeof address === 'string') : [];
}

/** How many of a job's lines have another address than before. */
export async function countReaddressed(db: Db, jobId: string): Promise<number> {
  const { count } = await db
    .selectFrom('job_items')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('job_id', '=', jobId)
    .where(isReaddressed)
    .executeTakeFirstOrThrow();
  return count;
}

export const customerColumns = ['username', 'name', 'owner_email', 'notes', 'old', 'new'] as const;

interface Customer extends ChangedAddress {
  username: string;
  name: string | null;
  owner_email: string;
  notes: string | null;
  protocol: string;
}

/** As a receiver takes it, with a word where the password stands. Other protocols have no such line. */
function receiverLine(address: string, { username, protocol }: Customer): string {
  const apart = address.replace(/:(\d+)$/, ' $1');
  return protocol === 'cccam' ? `C: ${apart} ${username} password` : apart;
}

export function customerCells(customer: Customer): Cell[] {
  const { username, name, owner_email, notes, old_address, new_address } = customer;
  const [old, next] = [old_address, new_address].map((address) => receiverLine(address, customer));
  return [username, name, owner_email, notes, old ?? null, next ?? null];
}
