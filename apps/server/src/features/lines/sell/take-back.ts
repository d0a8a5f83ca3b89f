import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import type { Finding } from '@linekeeper/contract/findings.ts';
import { type SqlBool, sql } from 'kysely';
import { lineScope } from '../../../core/access.ts';
import { auditOriginOf, writeAudit } from '../../../core/audit/audit.ts';
import { lineSubject } from '../../../core/audit/audit-subjects.ts';
import type { Ctx } from '../../../core/context.ts';
import { refundableKinds, refundOnce } from '../../../core/credits/refund.ts';
import { lookSoon } from '../../../core/pushes/agent-reports.ts';
import { isDue } from '../../../core/pushes/server-accounts.ts';
import { fieldBody, TakenBack } from '../../../core/refusal.ts';
import { type Db, type Tx, transact } from '../../../db/transaction.ts';
import { removeLine } from '../edit/delete-line.ts';
import { tryLockLine } from '../locked-line.ts';

/** Codes with which a sale is refused if the panel already knows the operator's rows. */
const REFUSALS: Partial<Record<Finding['code'], ErrorCode>> = {
  KEPT_BY_HAND: 'USERNAME_EXISTS',
  SHARED_BY_HAND: 'NAME_SHARES_FIRST_20',
};

interface Sold {
  line_id: string;
  server_id: string;
  username: string;
}

/** Whether the server refused the line and nothing has been done with it since. */
async function isAsSold(tx: Tx, { line_id, server_id, username }: Sold, code: string) {
  const found = await tx
    .selectFrom('server_accounts')
    .select('username')
    .where('server_id', '=', server_id)
    .where('username', '=', username)
    .where(
      sql<SqlBool>`${isDue} and wanted ->> 'line_id' = ${line_id} and last_finding ->> 'code' = ${code}`,
    )
    .executeTakeFirst();
  return found !== undefined;
}

/** The name is known at once; the agent tells of all others when it is asked next. */
async function noteNameByHand(db: Db, { server_id, username }: Sold): Promise<void> {
  await sql`update cccam_servers
    set names_by_hand = array_append(coalesce(names_by_hand, '{}'), ${username}::text)
    where id = ${server_id} and not ${username}::text = any (coalesce(names_by_hand, '{}'))`.execute(
    db,
  );
}

async function takeBackNow(tx: Tx, ctx: Ctx, sold: Sold, code: string): Promise<boolean> {
  const { line_id, server_id, username } = sold;
  const line = await tryLockLine(tx, lineScope(ctx.actor), line_id);
  const payments = await tx
    .selectFrom('credit_transfers')
    .select(['id', 'kind'])
    .where('line_id', '=', line_id)
    .execute();
  // Of an attempt whose reply was lost.
  if (!line) return payments.some(({ kind }) => kind === 'refund');
  const paid = payments.filter(({ kind }) => refundableKinds.includes(kind));
  if (paid.length > 1 || !(await isAsSold(tx, sold, code))) return false;
  const before = await lineSubject.read?.(tx, line_id);
  await removeLine(tx, line);
  // The row there is of a customer of the operator's, whatever its password is.
  await sql`update server_accounts set left_password = null
    where server_id = ${server_id} and username = ${username}
      and left_password ->> 'line_id' = ${line_id}`.execute(tx);
  await sql`delete from trials_made where line_id = ${line_id}::uuid`.execute(tx);
  for (const { id } of paid) await refundOnce(tx, { transfer_id: id, actor_id: ctx.actor.id });
  await writeAudit(tx, auditOriginOf(ctx), [
    {
      action: 'line.delete',
      subject_type: 'line',
      subject_id: line_id,
      before: before ?? null,
      data: { username, refused_by_server: code },
    },
  ]);
  return true;
}

/**
 * Takes a sale back that the card server's agent refused because of a row of the operator's own: the line
 * would never work. Throws what the sale would have been refused with, had the panel known of the row. Does
 * nothing for an administrator, whose customers move in so, and where the line was changed since.
 */
export async function takeBackIfKept(ctx: Ctx, sold: Sold, finding: Finding | null): Promise<void> {
  const code = finding && REFUSALS[finding.code];
  if (!code || ctx.actor.is_admin) return;
  const isTakenBack = await transact(ctx.db, (tx) => takeBackNow(tx, ctx, sold, finding.code));
  if (!isTakenBack) return;
  // Afterwards, because whoever moves lines locks servers before them.
  if (finding.code === 'KEPT_BY_HAND') await noteNameByHand(ctx.db, sold);
  await lookSoon(ctx.db, sold.server_id);
  throw new TakenBack(fieldBody('username', code));
}
