import type { Finding } from '@linekeeper/contract/findings.ts';
import { type SqlBool, sql } from 'kysely';
import type { ServerRow } from '../../db/schema/schema.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { panelOrigin, writeAudit } from '../audit/audit.ts';
import type { Services } from '../context/context.ts';
import { deliverLost } from '../delivery/settle.ts';
import type { Connected } from '../machines/card-server/check-connection.ts';
import type { ListedAccounts } from '../machines/card-server/driver.ts';
import { differ, type KnownAccount, MANY_ACCOUNTS, readKnown } from '../machines/comparison.ts';
import { openDriver } from '../machines/open-driver.ts';
import { isDue, isLost } from '../machines/server-accounts.ts';
import { isJudged } from '../machines/server-health.ts';
import { SAME_START_MS } from '../presence/presence.ts';

/** Seconds between two repairs of a server, which may lose its accounts again and again. */
const REPAIR_EVERY_SECONDS = 10 * 60;
const COUNT_EVERY_SECONDS = 10 * 60;
export const COUNT_MANY_EVERY_SECONDS = 60 * 60;
/** Seconds between two readings of the list while accounts are missing, because they may reappear. */
const COUNT_LOSS_EVERY_SECONDS = 60;

/**
 * Detects the accounts that a reachable server has lost: its folder was replaced, OSCam read an incomplete file at its
 * start, or its list is shorter than what it had accepted. Lost accounts are marked (`on_server`), reported, and queued
 * again if an administrator has enabled that. The list is read once for all entries of the machine.
 */
export async function detectLostAccounts(
  services: Services,
  entries: readonly ServerRow[],
  found: Pick<Connected, 'instance' | 'started_at'>,
): Promise<void> {
  const { db, stopping } = services;
  const instances = await readInstances(db, entries, found);
  const due = entries.filter(({ id }) => instances.has(id));
  const [first] = due;
  if (first) {
    // An administrator may have assigned entries with one address to two machines.
    const known = await readKnown(db, due);
    const listed =
      known.length > 0 ? await openDriver(services, first).list(stopping.signal) : null;
    for (const server of stopping.signal.aborted ? [] : due) {
      const instance = { before: instances.get(server.id) ?? null, now: found.instance };
      await compare(services, server, instance, known, listed);
    }
  }
  for (const server of entries) await reportOrRepair(services, server);
}

/**
 * Reads the last known instances of the entries to compare: those whose count is due, and those whose card server was
 * replaced or has started again. The next reading of sessions stores the new start.
 */
async function readInstances(
  db: Db,
  entries: readonly ServerRow[],
  { instance, started_at }: Pick<Connected, 'instance' | 'started_at'>,
): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await sql<Pick<ServerRow, 'id' | 'instance'>>`
    select id, instance
      from cccam_servers left join server_presence on server_presence.server_id = id
      where id = any (${entries.map(({ id }) => id)}::uuid[])
        and (next_count_at <= now() or ${instance}::text <> coalesce(instance, '')
          or abs(extract(epoch from started_at - ${started_at}::timestamptz)) * 1000 > ${SAME_START_MS})`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row.instance]));
}

async function compare(
  { db, log }: Services,
  server: ServerRow,
  instance: { before: string | null; now: string | null },
  known: readonly KnownAccount[],
  listed: ListedAccounts | null,
): Promise<void> {
  const { before, now } = instance;
  // Without an agent, the instance of an OSCam is its address, which may change while its accounts stay.
  const isFolder = server.kind === 'api' && before !== null && now !== null;
  const isReplaced = isFolder && before !== now;
  const believed = known.filter(
    ({ server_id, is_due, expiry_date }) =>
      server_id === server.id && !is_due && expiry_date !== null,
  );
  // Without a list, all accounts of the previous folder count as lost.
  const unlisted = isReplaced ? believed : [];
  const gone = listed?.ok ? goneOf(believed, listed, isReplaced) : unlisted;
  await transact(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('cccam_servers')
      .set({
        instance: sql`coalesce(${now}, instance)`,
        next_count_at: sql`now() + make_interval(secs => ${secondsToNext(believed, gone)})`,
      })
      .where(isJudged(server))
      .where('instance', 'is not distinct from', before)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    if (listed?.ok || isReplaced) await setOnServer(tx, server.id, believed, gone);
  });
  if (isReplaced) log.warn({ server_id: server.id }, 'a card server has another folder');
}

function secondsToNext(believed: readonly KnownAccount[], gone: readonly KnownAccount[]): number {
  if (believed.length > MANY_ACCOUNTS) return COUNT_MANY_EVERY_SECONDS;
  return gone.length > 0 ? COUNT_LOSS_EVERY_SECONDS : COUNT_EVERY_SECONDS;
}

/**
 * The accounts that are missing from the list. A replaced folder may contain an old state of an account, so its expiry
 * date must match too, if the list gives one.
 */
function goneOf(
  believed: readonly KnownAccount[],
  listed: ListedAccounts & { ok: true },
  isReplaced: boolean,
): KnownAccount[] {
  const { lost, different } = differ(believed, listed);
  const old = isReplaced ? different.filter(({ listed_day }) => listed_day !== null) : [];
  return [...lost, ...old];
}

/** Stores which accounts are on the server, except those that were changed or delivered in the meantime. */
async function setOnServer(
  tx: Tx,
  serverId: string,
  believed: readonly KnownAccount[],
  gone: readonly KnownAccount[],
): Promise<void> {
  const missing = new Set(gone.map(({ username }) => username));
  const changing = believed.filter(
    ({ username, on_server }) => on_server === missing.has(username),
  );
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
