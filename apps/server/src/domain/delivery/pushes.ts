import { setTimeout as sleep } from 'node:timers/promises';
import { type Finding, findingText } from '@linekeeper/contract/findings.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { deadline } from '../../platform/clock.ts';
import type { Services } from '../context/context.ts';
import { lookSoon } from './agent-reports.ts';
import type { PushResult, WantedLine } from './card-server/client.ts';
import { pushFinding } from './card-server/messages.ts';
import { openDriver } from './open-driver.ts';
import {
  type Claim,
  claimOne,
  dropNeverTaken,
  findLeftRow,
  postpone,
  readFormer,
  recordFailure,
  recordSuccess,
} from './push-claims.ts';
import { isSameMachine } from './same-machine.ts';
import { isDue } from './server-accounts.ts';
import { notePush } from './server-health.ts';
import { countFoundName, takeBackIfKept } from './take-back.ts';

/** Longest time for an attempt with all its calls. */
const DEADLINE_MS = 9000;
/** The reply to a change waits this long for the first attempt, which goes on after it. */
const REPLY_AFTER_MS = 2000;
/** An attempt that begins late is waited for nevertheless. */
const LEAST_WAIT_MS = 500;
const POLL_MS = 100;

type PushServices = Pick<Services, 'db' | 'secrets' | 'outbound' | 'log' | 'stopping' | 'attempts'>;
/** Result of a push, with the reason for a failure if known, or that it is pending. */
export interface PushOutcome {
  ok: boolean;
  finding: Finding | null;
  /** The line was sold and never taken, and is gone: what was paid for it was refunded. */
  is_taken_back?: true;
}

/**
 * Attempts a push now, or waits for another panel's running attempt. Never throws, because the change
 * is committed and the loop keeps retrying. Answers after 2 s at the latest: a server that is silent
 * or slow keeps no seller waiting, and the attempt goes on without them.
 */
export async function pushNow(
  services: PushServices,
  serverId: string,
  username: string,
): Promise<PushOutcome> {
  try {
    return await tryNow(services, serverId, username);
  } catch (error) {
    services.log.error({ err: error, server_id: serverId }, 'push could not be tried');
    return { ok: false, finding: null };
  }
}

async function tryNow(
  services: PushServices,
  serverId: string,
  username: string,
): Promise<PushOutcome> {
  const { db } = services;
  let time: ReturnType<typeof deadline> | undefined;
  for (;;) {
    const claim = await claimOne(db, { server_id: serverId, username });
    const state = claim ? null : await readState(db, serverId, username);
    if (!claim && !state?.is_due) return { ok: true, finding: null };
    time ??= deadline(services.outbound.replyAfterMs ?? REPLY_AFTER_MS);
    if (claim) return outcomeSoon(services, claim, Math.max(LEAST_WAIT_MS, time.left()));
    if (state && time.isOver()) return { ok: false, finding: state.last_finding ?? pending(state) };
    await sleep(POLL_MS);
  }
}

function pending({ operation }: Pick<Claim, 'operation'>): Finding {
  return { code: 'PUSH_PENDING', data: { operation } };
}

/** The outcome of an attempt if it ends in time. It goes on otherwise, and ends as any other. */
async function outcomeSoon(
  services: PushServices,
  claim: Claim,
  waitMs: number,
): Promise<PushOutcome> {
  let isAwaited = true;
  const attempt = tryPush(services, claim, () => isAwaited);
  // Errors in storing the outcome are handled here, because nothing else awaits this promise.
  const ending = attempt
    .then(
      () => {},
      (error: unknown) =>
        services.log.error({ err: error, server_id: claim.server_id }, 'push was not recorded'),
    )
    .finally(() => services.attempts.delete(ending));
  services.attempts.add(ending);
  const over = new AbortController();
  const tooLate = sleep(waitMs, { ok: false, finding: pending(claim) }, { signal: over.signal });
  try {
    return await Promise.race([attempt, tooLate]);
  } finally {
    isAwaited = false;
    tooLate.catch(() => {});
    over.abort();
  }
}

/** State of a push that another panel delivers or has delivered. */
async function readState(db: Db, serverId: string, username: string) {
  return db
    .selectFrom('server_accounts')
    .select(['operation', 'last_finding', sql<boolean>`${isDue}`.as('is_due')])
    .where('server_id', '=', serverId)
    .where('username', '=', username)
    .executeTakeFirst();
}

/**
 * Attempts a push under a lease; writes the result if the lease is still held. A push that cannot
 * be attempted, for example because a password cannot be decrypted, must not block others of its
 * server.
 */
export async function tryPush(
  services: PushServices,
  claim: Claim,
  isAwaited: () => boolean = () => false,
): Promise<PushOutcome> {
  try {
    return await deliver(services, claim, isAwaited);
  } catch (error) {
    services.log.error({ err: error, server_id: claim.server_id }, 'push could not be tried');
    const finding = pushFinding(claim.operation, { kind: 'refused', reason: '' });
    await recordFailure(services.db, claim, finding);
    return { ok: false, finding };
  }
}

async function deliver(
  services: PushServices,
  claim: Claim,
  isAwaited: () => boolean,
): Promise<PushOutcome> {
  const { db, log, stopping } = services;
  const { server, username } = claim;
  const { signal } = stopping;
  const wanted = await readWanted(services, claim);
  const driver = openDriver(services, server, { deadlineMs: DEADLINE_MS });
  const account = wanted ?? (await readSuspended(services, claim));
  const { on_server: onServer } = claim;
  const before = passwordBefore(services, claim);
  const isSuspended = !wanted || claim.wanted?.is_suspended === true;
  const outcome = await (account
    ? driver.put(
        { ...account, username, is_suspended: isSuspended },
        { onServer, before, isAdopted: isAdopted(claim), signal },
      )
    : driver.remove(username, { onServer, before, lines: linesOf(claim), signal }));
  if (!outcome.ok && outcome.isUntried) {
    await postpone(db, claim);
    return { ok: false, finding: pending(claim) };
  }
  if (outcome.ok && !claim.wanted) await removeFormer(services, claim);
  const left = outcome.ok ? await findLeftRow(db, claim) : undefined;
  let finding = await findingOf(db, claim, outcome, left);
  const isKept = finding?.code === 'KEPT_BY_HAND' && !wanted;
  if (isKept && (await dropNeverTaken(db, claim))) {
    // Somebody who asked to remove an account that was found there hears why it stays.
    if (!claim.on_server) finding = null;
  } else if (finding) await recordFailure(db, claim, finding);
  else {
    const isFinal = await isStillWanted(services, claim, wanted);
    // An API has no account of a suspended line; OSCam's web interface switches it off.
    const hasAccount = account !== null && (!isSuspended || server.kind === 'oscam_webif');
    await recordSuccess(db, claim, { isFinal, hasAccount });
  }
  await notePush(db, server, outcome, claim.attempts);
  if (outcome.ok && outcome.isTaken === false) await lookSoon(db, server.id);
  if (finding === null) return { ok: true, finding };
  const message = findingText(finding);
  log.warn({ server_id: claim.server_id, attempts: claim.attempts + 1, message }, 'push failed');
  await countFoundName(db, claim, outcome, isAwaited());
  const isTakenBack = await takeBackIfKept(db, claim, finding, isAwaited());
  return { ok: false, finding, ...(isTakenBack && { is_taken_back: true as const }) };
}

/** The password that was delivered last, if there is another by now. */
const passwordBefore = ({ secrets }: PushServices, { left }: Claim) =>
  left ? secrets.open(left.password, left.line_id) : undefined;

/** A suspended line is not as it should be while its former account lets its customer in, so that one is tried before. */
async function removeFormer(services: PushServices, { server_id, formerly }: Claim): Promise<void> {
  if (formerly === null) return;
  const former = await claimOne(services.db, { server_id, username: formerly });
  if (former) await tryPush(services, former);
}

/** Why the line is not as it should be, with the name or the server by which it lets its customer in meanwhile; null if it is. */
async function findingOf(
  db: Db,
  claim: Claim,
  outcome: PushResult,
  left: Awaited<ReturnType<typeof findLeftRow>>,
): Promise<Finding | null> {
  const { formerly, has_former, wanted, operation } = claim;
  if (left && formerly !== null) {
    const { code, data } = left.last_finding ?? pending(left);
    // Of a suspended line, the reason matters more than the name.
    if (!wanted) return { code, data: { ...data, works_as: formerly } };
    return { code: 'FORMER_STAYS', data: { operation, works_as: formerly } };
  }
  if (outcome.ok) return null;
  const finding = pushFinding(operation, outcome);
  if (!has_former) return finding;
  const { works_as, works_on } = await readFormer(db, claim);
  if (works_as === undefined) return finding;
  const isThere = finding.code === 'KEPT_BY_HAND' || finding.code === 'SHARED_BY_HAND';
  const there = works_on === undefined ? 'WORKS_AS' : 'WORKS_ON';
  return {
    code: isThere ? there : finding.code,
    data: { ...finding.data, works_as, ...(works_on !== undefined && { works_on }) },
  };
}

/**
 * False if the name was sold on another server of the machine while it was deleted here. The order in which
 * the two reached the machine is unknown, so the deletion is repeated, which then leaves the new account.
 */
async function isStillWanted(
  services: PushServices,
  claim: Claim,
  wanted: WantedLine | null,
): Promise<boolean> {
  if (claim.wanted) return true;
  const now = await readWanted(services, claim);
  return now?.password === wanted?.password && now?.expiry_date === wanted?.expiry_date;
}

/**
 * The line that should be on the server; null if none. Two servers of the panel may be the same
 * machine, so a name deleted from one of them stays there if the other has a line with it.
 */
async function readWanted(
  { db, secrets }: PushServices,
  { server, username, wanted, line_password, formerly }: Claim,
): Promise<WantedLine | null> {
  if (wanted) {
    if (line_password === null) return null;
    const { line_id, expiry_date } = wanted;
    const password = secrets.open(line_password, line_id);
    const known = knowsLines(server) && { line: line_id, formerly: formerly ?? undefined };
    return { password, expiry_date, ...known };
  }
  const line = await db
    .selectFrom('users')
    .innerJoin('cccam_servers as other', 'other.id', 'users.server_id')
    .select(['users.id', 'users.password', 'users.expiry_date'])
    .where('users.username', '=', username)
    .where('other.id', '<>', server.id)
    .where(isSameMachine('other', server))
    .where('users.suspension', 'is', null)
    .executeTakeFirst();
  if (!line) return null;
  const { id, password, expiry_date } = line;
  return {
    password: secrets.open(password, id),
    expiry_date,
    ...(knowsLines(server) && { line: id }),
  };
}

/** Whether it is on its server because it was found there: neither sold nor renamed over an account that is to go. */
function isAdopted({ on_server, operation, wanted, sold, formerly }: Claim): boolean {
  const isSold = sold !== null && sold.line_id === wanted?.line_id;
  return on_server && operation === 'edit' && wanted !== null && !isSold && formerly === null;
}

/** The lines whose account a name without one may be. */
function linesOf({ sold, left }: Claim): string[] {
  return [sold?.line_id, left?.line_id].filter((id) => typeof id === 'string');
}

/** Whether the server may be told by which it knows a line again; other APIs refuse fields that they do not know. */
function knowsLines({ is_agent, kind }: Claim['server']): boolean {
  return is_agent || kind === 'oscam_webif';
}

/** The suspended line of a name that nobody is wanted under on the machine; null if it is deleted. */
async function readSuspended(
  { db, secrets }: PushServices,
  { server, username, formerly }: Claim,
): Promise<WantedLine | null> {
  const line = await db
    .selectFrom('users')
    .innerJoin('cccam_servers as entry', 'entry.id', 'users.server_id')
    .select(['users.id', 'users.password', 'users.expiry_date'])
    .where('users.username', '=', username)
    .where(isSameMachine('entry', server))
    .where('users.suspension', 'is not', null)
    .executeTakeFirst();
  if (!line) return null;
  const { id, password, expiry_date } = line;
  const known = knowsLines(server) && { line: id, formerly: formerly ?? undefined };
  return { password: secrets.open(password, id), expiry_date, ...known };
}
