import type { Finding } from '@linekeeper/contract/findings.ts';
import { type SqlBool, sql } from 'kysely';
import type { ServerRow } from '../../db/schema/schema.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { panelOrigin, writeAudit } from '../audit/audit.ts';
import type { Services } from '../context/context.ts';
import { deliverLost } from '../delivery/settle.ts';
import type { Connected } from '../machines/card-server/check-connection.ts';
import type { ListedAccounts } from '../machines/card-server/driver.ts';
import { openDriver } from '../machines/open-driver.ts';
import { isDue, isLost } from '../machines/server-accounts.ts';
import { isJudged } from '../machines/server-health.ts';
import { SAME_START_MS } from '../presence/presence.ts';

/** A server that keeps losing its accounts is not refilled at every check. */
const REPAIR_EVERY_SECONDS = 10 * 60;
const COUNT_EVERY_SECONDS = 10 * 60;
/** From this number on the list is long, so it is read once an hour only. */
const MANY_ACCOUNTS = 5000;
export const COUNT_MANY_EVERY_SECONDS = 60 * 60;
/** While accounts are missing, the list is read more often, because they may reappear. */
const COUNT_LOSS_EVERY_SECONDS = 60;

/** A line's account as last applied on the server; accounts with a due push are left out. */
interface Believed {
  username: string;
  expiry_date: string;
  on_server: boolean;
  revision: number;
}

/**
 * A reachable server may have lost accounts: its folder was replaced, OSCam read a file that lacks some at its start, or
 * its list is shorter than what it had accepted. Lost accounts are marked (`on_server`), reported, and queued again if an
 * administrator has enabled that.
 */
export async function detectLostAccounts(
  services: Services,
  server: ServerRow,
  { instance, started_at }: Pick<Connected, 'instance' | 'started_at'>,
): Promise<void> {
  const { db } = services;
  const known = await db
    .selectFrom('cccam_servers')
    .leftJoin('server_presence', 'server_presence.server_id', 'cccam_servers.id')
    .select(['instance', 'started_at', sql<boolean>`next_count_at <= now()`.as('is_count_due')])
    .where('cccam_servers.id', '=', server.id)
    .executeTakeFirst();
  if (!known) return;
  const hasNewInstance = instance !== null && instance !== known.instance;
  // The reading of who is on, which comes next, stores the new start.
  const hasRestarted =
    started_at !== null &&
    known.started_at !== null &&
    Math.abs(started_at.getTime() - known.started_at.getTime()) > SAME_START_MS;
  if (hasNewInstance || hasRestarted || known.is_count_due) {
    await compare(services, server, instance, known.instance);
  }
  await reportOrRepair(services, server);
}

async function compare(
  services: Services,
  server: ServerRow,
  instance: string | null,
  knownInstance: string | null,
): Promise<void> {
  const { db, stopping, log } = services;
  // That of an OSCam without an agent is its address, which may change while its accounts stay.
  const isFolder = server.kind === 'api' && instance !== null && knownInstance !== null;
  const isReplaced = isFolder && instance !== knownInstance;
  // Read before the server's list, because accounts pushed in between may be missing from the list.
  const believed = await readBelieved(db, server.id);
  const listed =
    believed.length > 0 ? await openDriver(services, server).list(stopping.signal) : null;
  if (stopping.signal.aborted) return;
  await transact(db, async (tx) => {
    // Without a list, all accounts of the previous folder count as lost.
    const unlisted = isReplaced ? believed : [];
    const gone = listed?.ok ? believed.filter(isGone(listed, isReplaced)) : unlisted;
    const { numUpdatedRows } = await tx
      .updateTable('cccam_servers')
      .set({
        instance: sql`coalesce(${instance}, instance)`,
        next_count_at: sql`now() + make_interval(secs => ${secondsToNext(believed, gone)})`,
      })
      .where(isJudged(server))
      .where('instance', 'is not distinct from', knownInstance)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    if (listed?.ok || isReplaced) await setOnServer(tx, server.id, believed, new Set(gone));
  });
  if (isReplaced) log.warn({ server_id: server.id }, 'a card server has another folder');
}

function secondsToNext(believed: readonly Believed[], gone: readonly Believed[]): number {
  if (believed.length > MANY_ACCOUNTS) return COUNT_MANY_EVERY_SECONDS;
  return gone.length > 0 ? COUNT_LOSS_EVERY_SECONDS : COUNT_EVERY_SECONDS;
}

/** A replaced folder may contain an old state of an account, so its expiry date must match too. */
function isGone({ accounts }: ListedAccounts & { ok: true }, isReplaced: boolean) {
  return ({ username, expiry_date }: Believed): boolean => {
    const day = accounts.get(username);
    return day === undefined || (isReplaced && day !== null && day !== expiry_date);
  };
}

async function readBelieved(db: Db, serverId: string): Promise<Believed[]> {
  const { rows } = await sql<Believed>`
    select username, on_server, revision, wanted ->> 'expiry_date' as expiry_date
      from server_accounts
      where server_id = ${serverId} and wanted is not null and not (${isDue})
        and (wanted ->> 'is_suspended') is null`.execute(db);
  return rows;
}

/** Skips accounts that were changed meanwhile, also what was delivered since. */
async function setOnServer(
  tx: Tx,
  serverId: string,
  believed: readonly Believed[],
  gone: ReadonlySet<Believed>,
): Promise<void> {
  const changing = believed.filter((account) => account.on_server === gone.has(account));
  if (changing.length === 0) return;
  await sql`
    update server_accounts set on_server = not found.was_there
      from unnest(${changing.map(({ username }) => username)}::text[],
          ${changing.map(({ revision }) => revision)}::bigint[],
          ${changing.map(({ on_server }) => on_server)}::boolean[])
        as found (username, revision, was_there)
      where server_id = ${serverId} and server_accounts.username = found.username
        and server_accounts.revision = found.revision and wanted is not null
        and not (${isDue})`.execute(tx);
}

/** Reports missing accounts, or queues them again if that is enabled and was not done recently. */
async function reportOrRepair({ db, log }: Services, server: ServerRow): Promise<void> {
  const { id } = server;
  const { missing } = await db
    .selectFrom('server_accounts')
    .select(sql<number>`count(*)`.as('missing'))
    .where('server_id', '=', id)
    .where(isLost)
    .executeTakeFirstOrThrow();
  const isRepairing = missing > 0 && (await transact(db, (tx) => repair(tx, id)));
  if (isRepairing) log.warn({ server_id: id, missing }, 'lost accounts are delivered again');
  const lost: Finding = { code: 'ACCOUNTS_LOST', data: { missing } };
  const finding = missing > 0 && !isRepairing ? JSON.stringify(lost) : null;
  await sql`
    update cccam_servers set status_finding = ${finding}::jsonb
      where ${isJudged(server)} and status = 'active'
        and status_finding is distinct from ${finding}::jsonb`.execute(db);
}

async function repair(tx: Tx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('cccam_servers')
    .set({ repaired_at: sql`now()` })
    .where('id', '=', id)
    .where('repair_automatically', '=', true)
    .where(sql<SqlBool>`(repaired_at is null
      or repaired_at <= now() - make_interval(secs => ${REPAIR_EVERY_SECONDS}))`)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  const queued = await deliverLost(tx, id);
  await writeAudit(tx, panelOrigin, [
    { action: 'server.repair', subject_type: 'server', subject_id: id, data: { queued } },
  ]);
  return true;
}
