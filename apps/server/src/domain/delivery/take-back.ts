import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import type { Finding } from '@linekeeper/contract/findings.ts';
import { type SqlBool, sql } from 'kysely';
import type { SoldLine } from '../../db/schema/schema.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { fieldBody, TakenBack } from '../../platform/errors/refusal.ts';
import { takenNamesLimit } from '../../platform/rate-limit.ts';
import { consumeGuesses } from '../accounts/guesses.ts';
import { panelOrigin, writeAudit } from '../audit/audit.ts';
import { lineSubject } from '../audit/audit-subjects.ts';
import { readLinePayments, refundOnce } from '../credits/refund.ts';
import { notify } from '../notices/notify.ts';
import { lookSoon } from './agent-reports.ts';
import type { PushResult } from './card-server/client.ts';
import { rowsByHand } from './card-server/messages.ts';
import type { Claim } from './push-claims.ts';
import { removeLine } from './remove-line.ts';
import { isDue, isNeverTaken } from './server-accounts.ts';

/** Codes with which a sale is refused if the panel already knows the operator's rows. */
const REFUSALS: Partial<Record<Finding['code'], ErrorCode>> = {
  KEPT_BY_HAND: 'USERNAME_EXISTS',
  SHARED_BY_HAND: 'NAME_SHARES_FIRST_20',
};

/** An attempt to deliver a line, or its deletion, that its server refused. */
interface Refused {
  server_id: string;
  username: string;
  sold: SoldLine | null;
}

/** The line as it was sold, locked; undefined where it is gone, elsewhere, or was taken or changed since. */
async function lockNeverTaken(
  tx: Tx,
  { server_id, username }: Refused,
  { line_id }: SoldLine,
  code: Finding['code'],
) {
  const line = await tx
    .selectFrom('users')
    .select(['id', 'username', 'server_id', 'owner_id'])
    .where('id', '=', line_id)
    .where('server_id', '=', server_id)
    .where('username', '=', username)
    .forUpdate()
    .executeTakeFirst();
  if (!line) return undefined;
  const push = await tx
    .selectFrom('server_accounts')
    .select('username')
    .where('server_id', '=', server_id)
    .where('username', '=', username)
    .where(
      sql<SqlBool>`${isDue} and ${isNeverTaken} and sold ->> 'line_id' = ${line_id}
        and last_finding ->> 'code' = ${code}`,
    )
    .executeTakeFirst();
  return push && line;
}

/** Refunds all payments for the line. Returns the payer (its owner if there was no payment) and the sum. */
async function refundPayments(tx: Tx, line: { id: string; owner_id: string }) {
  const payments = await readLinePayments(tx, line.id);
  let refunded = 0;
  for (const { id, from_id, actor_id } of payments) {
    const given = await refundOnce(tx, { transfer_id: id, actor_id: actor_id ?? from_id });
    refunded += given?.amount ?? 0;
  }
  return { account_id: payments[0]?.from_id ?? line.owner_id, refunded };
}

/** The row of an import says what became of its line. */
async function failRow(tx: Tx, { line_id, job_id }: SoldLine, code: ErrorCode): Promise<void> {
  const error = JSON.stringify({ code, data: {}, field: 'username' });
  await sql`update job_items
    set state = 'failed', cost = 0, transfer_id = null, after = null, error = ${error}::jsonb
    where job_id = ${job_id} and line_id = ${line_id} and state = 'done'`.execute(tx);
  // Open pages read it again.
  await sql`update jobs set updated_at = now() where id = ${job_id}`.execute(tx);
}

/** The name is known at once; the agent tells of all others when it is asked next. */
async function noteNameByHand(db: Db, { server_id, username }: Refused): Promise<void> {
  await sql`update cccam_servers
    set names_by_hand = array_append(coalesce(names_by_hand, '{}'), ${username}::text)
    where id = ${server_id} and not ${username}::text = any (coalesce(names_by_hand, '{}'))`.execute(
    db,
  );
}

async function takeBackNow(
  tx: Tx,
  refused: Refused,
  sold: SoldLine,
  { code }: Finding,
  isAwaited: boolean,
): Promise<boolean> {
  const line = await lockNeverTaken(tx, refused, sold, code);
  if (!line) return false;
  const { username } = refused;
  const before = await lineSubject.read?.(tx, line.id);
  await removeLine(tx, line);
  await sql`delete from trials_made where line_id = ${line.id}::uuid`.execute(tx);
  const { account_id, refunded } = await refundPayments(tx, line);
  if (sold.job_id) await failRow(tx, sold, REFUSALS[code] ?? 'USERNAME_EXISTS');
  if (!isAwaited) {
    const of_import = sold.job_id !== null;
    const facts = { username, refunded, of_import };
    const said_once = sold.job_id ? { said_once: `taken back of ${sold.job_id}` } : {};
    await notify(tx, [
      { event: 'sale_taken_back', facts, account_id, link: '/credits', ...said_once },
    ]);
  }
  await writeAudit(tx, panelOrigin, [
    {
      action: 'line.delete',
      subject_type: 'line',
      subject_id: line.id,
      before: before ?? null,
      data: { username, refused_by_server: code },
    },
  ]);
  return true;
}

/**
 * Takes a sale back that the card server's agent refused because of a row of the operator's own: the line
 * would never work. A line that was ever delivered stays, as does an administrator's, who may be moving
 * existing customers to the panel. A waiting caller learns of it by the reply, others by a notification.
 */
export async function takeBackIfKept(
  db: Db,
  refused: Refused,
  finding: Finding,
  isAwaited: boolean,
): Promise<boolean> {
  const { sold, server_id } = refused;
  if (!sold || !REFUSALS[finding.code]) return false;
  const isDone = await transact(db, (tx) => takeBackNow(tx, refused, sold, finding, isAwaited));
  if (!isDone) return false;
  // Afterwards, because whoever moves lines locks servers before them.
  if (finding.code === 'KEPT_BY_HAND') await noteNameByHand(db, refused);
  await lookSoon(db, server_id);
  return true;
}

/**
 * Counts a name of the operator's that a rename, or a sale whose caller is gone, finds by its push, as those that are refused
 * at once are counted: where no names are known, pushes would read them out.
 */
export async function countFoundName(
  db: Db,
  { wanted, sold, formerly, attempts }: Pick<Claim, 'wanted' | 'sold' | 'formerly' | 'attempts'>,
  outcome: PushResult,
  isAwaited: boolean,
): Promise<void> {
  const isFound = !outcome.ok && rowsByHand.some((kind) => kind === outcome.kind);
  const isOwnersChange = formerly !== null || (sold !== null && !isAwaited);
  if (!isFound || !isOwnersChange || attempts > 0 || !wanted) return;
  const line = await db
    .selectFrom('users')
    .select('owner_id')
    .where('id', '=', wanted.line_id)
    .executeTakeFirst();
  if (line) await consumeGuesses(db, takenNamesLimit, line.owner_id);
}

/** Throws what the sale of a line that is gone would have been refused with, if it was taken back. */
export async function refuseTakenBack(
  db: Db,
  line_id: string,
  { finding, is_taken_back = false }: { finding: Finding | null; is_taken_back?: boolean },
): Promise<void> {
  const isRefunded = async () =>
    (await db
      .selectFrom('credit_transfers')
      .select('id')
      .where('line_id', '=', line_id)
      .where('kind', '=', 'refund')
      .executeTakeFirst()) !== undefined;
  // Of an attempt whose reply was lost, or of another panel's.
  if (!is_taken_back && !(await isRefunded())) return;
  const code = (finding && REFUSALS[finding.code]) ?? 'USERNAME_EXISTS';
  throw new TakenBack(fieldBody('username', code));
}
