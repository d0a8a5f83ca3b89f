import { today } from '@linekeeper/contract/dates.ts';
import { type SqlBool, sql } from 'kysely';
import type { SharingNote } from '../../../db/schema/server-schema.ts';
import { type Db, type Tx, transact } from '../../../db/transaction.ts';
import { panelOrigin, writeAudit } from '../../../domain/audit/audit.ts';
import { everything } from '../../../domain/context/access.ts';
import type { Services } from '../../../domain/context/context.ts';
import { notify } from '../../../domain/notices/notify.ts';
import { pageOf } from '../../../domain/presence/sharing/tell-sharing.ts';
import { catchRefusal, Refusal } from '../../../platform/errors/refusal.ts';
import { readSettings } from '../../../platform/settings.ts';
import { changeLines } from './carry-out.ts';
import { type LineUpdate, type LockedLine, lockLine } from './locked-line.ts';
import { planChange } from './plan.ts';
import { resumedColumns, suspendedColumns } from './suspension.ts';

type Panel = Pick<Services, 'db' | 'config'>;

const HOUR_MS = 3_600_000;

async function changeByPanel(
  tx: Tx,
  line: LockedLine,
  action: 'line.suspend' | 'line.resume',
  columns: LineUpdate,
  facts: Record<string, unknown> = {},
): Promise<void> {
  await changeLines(tx, [{ line, plan: planChange(line, columns) }]);
  await writeAudit(tx, panelOrigin, [
    {
      action,
      subject_type: 'line',
      subject_id: line.id,
      before: { status: line.status },
      after: { status: columns.status ?? line.status },
      data: { username: line.username, reason: null, ...facts },
    },
  ]);
}

/** Takes the newest sign of sharing of a line that is marked for suspension; undefined if there is none. */
async function takeNote(db: Db, line_id: string): Promise<SharingNote | undefined> {
  const taken = await db
    .updateTable('line_presence')
    .set({ is_to_suspend: false })
    .where('line_id', '=', line_id)
    .where('is_to_suspend', '=', true)
    .returning('sharing')
    .executeTakeFirst();
  return taken?.sharing?.notes.at(-1);
}

/** Suspends a line, unless it was suspended or exempted in the meantime, or has expired. Throws LINE_NOT_FOUND. */
async function suspendOne({ db, config }: Panel, line_id: string, hours: number): Promise<void> {
  await transact(db, async (tx) => {
    const line = await lockLine(tx, everything, line_id);
    const note = await takeNote(tx, line_id);
    const hasExpired = line.expiry_date < today(config.time_zone);
    if (!note || hours === 0 || line.suspension || line.sharing_exempt || hasExpired) return;
    const { connections, networks, allowed } = note;
    const { status, suspension } = suspendedColumns(line, null);
    const until = new Date(Date.now() + hours * HOUR_MS).toISOString();
    await changeByPanel(
      tx,
      line,
      'line.suspend',
      { status, suspension: { ...suspension, cause: 'sharing', until } },
      { sharing_connections: allowed, sharing_suspend_hours: hours },
    );
    await notify(tx, [
      {
        event: 'line_suspended',
        facts: { username: line.username, connections, networks, allowed, hours },
        account_id: line.owner_id,
        link: pageOf(line_id),
      },
    ]);
  });
}

/** Suspends lines with new signs of sharing, for the hours of the settings, and notifies their owners. */
export async function suspendShared(panel: Panel, isStopping: () => boolean): Promise<void> {
  const noted = await panel.db
    .selectFrom('line_presence')
    .select('line_id')
    .where('is_to_suspend', '=', true)
    .execute();
  const { sharing_suspend_hours } = await readSettings(panel.db);
  for (const { line_id } of noted) {
    if (isStopping()) return;
    const suspended = await catchRefusal(() => suspendOne(panel, line_id, sharing_suspend_hours));
    if (suspended instanceof Refusal) await takeNote(panel.db, line_id);
  }
}

/** SQL condition: a suspension with an end is over. */
const isOver = sql<SqlBool>`(suspension ->> 'until' is not null
  and (suspension ->> 'until')::timestamptz <= now())`;

/** Resumes a line whose suspension has ended. If that is not possible now, a person has to do it. */
async function resumeOne({ db, config }: Panel, id: string): Promise<void> {
  const resumed = await catchRefusal(() =>
    transact(db, async (tx) => {
      const line = await lockLine(tx, everything, id);
      if (!line.suspension?.until) return;
      const columns = resumedColumns(line, today(config.time_zone));
      await changeByPanel(tx, line, 'line.resume', columns);
    }),
  );
  if (!(resumed instanceof Refusal)) return;
  await sql`update users set suspension = suspension - 'until', updated_at = now()
    where id = ${id} and ${isOver}`.execute(db);
}

/**
 * Resumes lines whose suspensions have ended. If a person suspended such a line in the meantime,
 * that suspension does not end automatically.
 */
export async function endSuspensions(panel: Panel, isStopping: () => boolean): Promise<void> {
  const due = await panel.db.selectFrom('users').select('id').where(isOver).execute();
  for (const { id } of due) {
    if (isStopping()) return;
    await resumeOne(panel, id);
  }
}
