import { today } from '@linekeeper/contract/dates.ts';
import { type SqlBool, sql } from 'kysely';
import type { StoredSuspension } from '../../../db/stored-suspension.ts';
import { type Tx, transact } from '../../../db/transaction.ts';
import { panelOrigin, writeAudit } from '../../../domain/audit/audit.ts';
import type { Scope } from '../../../domain/context/access.ts';
import type { Services } from '../../../domain/context/context.ts';
import { type NotedLine, pageOf } from '../../../domain/delivery/sharing/tell-sharing.ts';
import { notify } from '../../../domain/notices/notify.ts';
import { catchRefusal, Refusal } from '../../../platform/errors/refusal.ts';
import { readSettings } from '../../../platform/settings.ts';
import { changeRow } from './change-row.ts';
import { type LineUpdate, type LockedLine, tryLockLine, updateLine } from './locked-line.ts';
import { resumedColumns, suspendedColumns } from './suspension.ts';

type Panel = Pick<Services, 'db' | 'config'>;

/** The panel's own acts concern every line; the id is only compared with owners, of whom it is none. */
const allLines: Scope = { account_id: '00000000-0000-0000-0000-000000000000', sees_all: true };

async function changeByPanel(
  tx: Tx,
  line: LockedLine,
  action: 'line.suspend' | 'line.resume',
  columns: LineUpdate,
  facts: Record<string, unknown> = {},
): Promise<void> {
  await changeRow(tx, line, columns);
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

/** A moment as the database's clock has it, as JSON has it. */
async function readMoment(tx: Tx, hours: number): Promise<string> {
  const { moment } = await tx
    .selectNoFrom(sql<Date>`now() + make_interval(hours => ${hours}::integer)`.as('moment'))
    .executeTakeFirstOrThrow();
  return moment.toISOString();
}

/**
 * Suspends a line that was noted, for the hours of the settings, and notifies its owner. Nothing happens to one that
 * was suspended, excepted or deleted meanwhile, or has expired.
 */
export async function suspendShared(
  { db, config }: Panel,
  { line_id, connections, networks, allowed }: NotedLine,
): Promise<void> {
  const { sharing_suspend_hours: hours } = await readSettings(db);
  if (hours === 0) return;
  await transact(db, async (tx) => {
    const line = await tryLockLine(tx, allLines, line_id);
    const isOver = line && line.expiry_date < today(config.time_zone);
    if (!line || line.suspension || line.sharing_exempt || isOver) return;
    const { status, suspension } = suspendedColumns(line, null, undefined);
    const until = await readMoment(tx, hours);
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

/** Resumes a line whose time has come. What cannot be resumed now is left to a person. */
async function resumeOne({ db, config }: Panel, id: string): Promise<void> {
  const resumed = await catchRefusal(() =>
    transact(db, async (tx) => {
      const line = await tryLockLine(tx, allLines, id);
      if (!line?.suspension?.until) return;
      const columns = resumedColumns(line, today(config.time_zone));
      await changeByPanel(tx, line, 'line.resume', columns);
    }),
  );
  if (!(resumed instanceof Refusal)) return;
  await transact(db, async (tx) => {
    const line = await tryLockLine(tx, allLines, id);
    if (!line?.suspension) return;
    const { until: _, ...suspension }: StoredSuspension = line.suspension;
    await updateLine(tx, id, { suspension });
  });
}

/** Ends the suspensions that end by themselves. A person who suspends such a line meanwhile has taken it over. */
export async function endSuspensions(panel: Panel, isStopping: () => boolean): Promise<void> {
  const due = await panel.db
    .selectFrom('users')
    .select('id')
    .where(sql<SqlBool>`suspension ->> 'until' is not null`)
    .where(sql<SqlBool>`(suspension ->> 'until')::timestamptz <= now()`)
    .execute();
  for (const { id } of due) {
    if (isStopping()) return;
    await resumeOne(panel, id);
  }
}
