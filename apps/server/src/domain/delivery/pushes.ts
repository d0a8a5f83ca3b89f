import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Finding, findingText, findingWithMessage } from '@linekeeper/contract/findings.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { deadline } from '../../platform/clock.ts';
import { takenNamesLimit } from '../../platform/rate-limit.ts';
import { consumeGuesses } from '../accounts/guesses.ts';
import type { Services } from '../context/context.ts';
import { lookSoon } from '../machines/agent-reports.ts';
import type { PushResult } from '../machines/card-server/client.ts';
import { pushFinding, rowsByHand } from '../machines/card-server/messages.ts';
import { openDriver } from '../machines/open-driver.ts';
import { isDue } from '../machines/server-accounts.ts';
import { notePush } from '../machines/server-health.ts';
import {
  type Claim,
  claimOne,
  dropNeverTaken,
  findStaying,
  postpone,
  readTargetNow,
  recordFailure,
  recordSuccess,
} from './push-claims.ts';

/** Milliseconds for an attempt with all its calls. */
const DEADLINE_MS = 9000;
/** Milliseconds for which the response to a change waits for the first attempt, which continues after it. */
const REPLY_AFTER_MS = 2000;
/** The least time in milliseconds that a response waits for an attempt, even for one that begins late. */
const LEAST_WAIT_MS = 500;
const POLL_MS = 100;

type PushServices = Pick<Services, 'db' | 'secrets' | 'outbound' | 'log' | 'stopping' | 'attempts'>;
/** Result of a push: success, pending, or a failure with its reason if that is known. */
export interface PushOutcome {
  ok: boolean;
  finding: Finding | null;
}

/** The result of a push for a reply: the sentence in `sync`, and its finding. */
export function syncReply({ ok, finding }: PushOutcome) {
  const { message } = findingWithMessage(finding);
  return { sync: { ok, message }, sync_finding: finding };
}

/**
 * Attempts a push now, or waits for another panel's running attempt. Never throws, because the change is committed and
 * the loop keeps retrying. Returns after 2 s at the latest: a silent or slow server keeps no seller waiting, and the
 * attempt continues in the background.
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

/** The outcome of an attempt if it ends in time; otherwise it continues in the background. */
async function outcomeSoon(
  services: PushServices,
  claim: Claim,
  waitMs: number,
): Promise<PushOutcome> {
  const attempt = tryPush(services, claim);
  // Errors of storing the outcome are handled here, because no other code awaits this promise.
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
 * Attempts a push under a lease; writes the result if the lease is still held. A push that cannot be attempted, for
 * example because a password cannot be decrypted, must not block other pushes of its server.
 */
export async function tryPush(services: PushServices, claim: Claim): Promise<PushOutcome> {
  try {
    return await deliver(services, claim);
  } catch (error) {
    services.log.error({ err: error, server_id: claim.server_id }, 'push could not be tried');
    const finding = pushFinding(claim.operation, { kind: 'refused', reason: '' });
    await recordFailure(services.db, claim, finding);
    return { ok: false, finding };
  }
}

async function deliver(services: PushServices, claim: Claim): Promise<PushOutcome> {
  const { db, log } = services;
  const outcome = await bring(services, claim);
  if (!outcome.ok && outcome.isUntried) {
    await postpone(db, claim);
    return { ok: false, finding: pending(claim) };
  }
  if (outcome.ok && !claim.wanted) await removeFormer(services, claim);
  const finding = await record(services, claim, outcome);
  await notePush(db, claim.server, outcome, claim.attempts);
  if (outcome.ok && outcome.isTaken === false) await lookSoon(db, claim.server_id);
  if (finding === null) return { ok: true, finding };
  const message = findingText(finding);
  log.warn({ server_id: claim.server_id, attempts: claim.attempts + 1, message }, 'push failed');
  await noteFoundName(db, claim, outcome);
  return { ok: false, finding };
}

/** Changes the account on the card server to its target. */
function bring(services: PushServices, claim: Claim): Promise<PushResult> {
  const { secrets, stopping } = services;
  const { server, username, target, previous, formerly, rights_before } = claim;
  const { signal } = stopping;
  const driver = openDriver(services, server, { deadlineMs: DEADLINE_MS });
  const onServer = claim.on_server || (!claim.wanted && claim.is_unanswered);
  // The password of the last delivery, if it differs from the present one.
  const before = previous ? secrets.open(previous.password, previous.line_id) : undefined;
  if (target === null) {
    const lines = previous ? [previous.line_id] : [];
    return driver.remove(username, { onServer, before, lines, signal });
  }
  const { line_id, expiry_date } = target;
  const password = secrets.open(target.password, line_id);
  // Fields that only agents and OSCam's web interface know; other APIs refuse unknown fields.
  const knowsLines = server.is_agent || server.kind === 'oscam_webif';
  const known = knowsLines && { line: line_id, formerly: formerly ?? undefined };
  const account = {
    username,
    password,
    expiry_date,
    is_suspended: target.kind === 'suspended',
    rights: target.rights ?? undefined,
    ...known,
  };
  // A former account, with which the line works in the meantime, keeps its rights.
  const rightsBefore = (target.rights && rights_before) ?? undefined;
  return driver.put(account, {
    onServer,
    before,
    rightsBefore,
    isAdopted: isAdopted(claim),
    signal,
  });
}

/** Stores the outcome of an attempt. Returns why the line is not in its wanted state; null if it is. */
async function record(
  { db }: PushServices,
  claim: Claim,
  outcome: PushResult,
): Promise<Finding | null> {
  const { target, wanted, server } = claim;
  const staying = outcome.ok ? await findStaying(db, claim) : undefined;
  const finding = findingOf(claim, outcome, staying);
  if (finding === null) {
    // Servers with an API have no account of a suspended line; OSCam's web interface keeps it, switched off.
    const hasAccount =
      target?.kind === 'present' || (target !== null && server.kind === 'oscam_webif');
    // If the name was sold on another server of the machine while it was deleted here, the order in which the two reached
    // the machine is unknown: the deletion is repeated, which then leaves the new account.
    const isFinal = wanted !== null || isDeepStrictEqual(await readTargetNow(db, claim), target);
    await recordSuccess(db, claim, { isFinal, hasAccount });
    return null;
  }
  const isKept = finding.code === 'KEPT_BY_HAND' && wanted === null && target?.kind !== 'present';
  if (isKept && (await dropNeverTaken(db, claim))) {
    // If a person requested the removal of an account that was only found there, the reply has the reason why it stays.
    return claim.on_server ? finding : null;
  }
  await recordFailure(db, claim, finding, mayHaveChanged(outcome, finding));
  return finding;
}

/**
 * Removes the account of a former name. If that account still lets the customer of a suspended line
 * in, the line is not suspended in effect, so its removal is tried first.
 */
async function removeFormer(services: PushServices, { server_id, formerly }: Claim): Promise<void> {
  if (formerly === null) return;
  const former = await claimOne(services.db, { server_id, username: formerly });
  if (former) await tryPush(services, former);
}

/** Failures that prove that no part of a change has reached the card server. */
const NOT_SENT = [
  'connection refused',
  'host not found or not allowed',
  'network unreachable',
  'certificate not trusted',
];

/**
 * True if the card server may have made a change: its response did not arrive, or it has the line and not the rights of its
 * plan.
 */
const mayHaveChanged = (outcome: PushResult, { code }: Finding): boolean =>
  code === 'AGENT_WITHOUT_RIGHTS' ||
  (!outcome.ok && outcome.kind === 'unreachable' && !NOT_SENT.includes(outcome.reason));

/**
 * The reason why the line is not in its wanted state, with the name or the server by which it works
 * in the meantime; null if it is in that state.
 */
function findingOf(
  claim: Claim,
  outcome: PushResult,
  staying: Awaited<ReturnType<typeof findStaying>>,
): Finding | null {
  const { formerly, former, wanted, operation } = claim;
  if (staying && formerly !== null) {
    const { code, data } = staying.last_finding ?? pending(staying);
    // For a suspended line, the reason matters more than the name.
    if (!wanted) return { code, data: { ...data, works_as: formerly } };
    return { code: 'FORMER_STAYS', data: { operation, works_as: formerly } };
  }
  if (outcome.ok) return null;
  const finding = pushFinding(operation, outcome);
  if (!former) return finding;
  const { username: works_as, server_name: works_on } = former;
  const isThere = finding.code === 'KEPT_BY_HAND' || finding.code === 'SHARED_BY_HAND';
  const there = works_on === null ? 'WORKS_AS' : 'WORKS_ON';
  return {
    code: isThere ? there : finding.code,
    data: { ...finding.data, works_as, ...(works_on !== null && { works_on }) },
  };
}

/** True if the account was found on its server, and not sold or renamed over one that is to be removed. */
function isAdopted({ on_server, operation, wanted, formerly, previous, of_line }: Claim): boolean {
  const isOfAnother = previous !== null && previous.line_id !== of_line;
  return on_server && operation === 'edit' && wanted !== null && formerly === null && !isOfAnother;
}

/**
 * Stores a username that the first push of a line finds in the operator's own rows, so that the next sale with it is
 * refused immediately. Counts it as a guess, because pushes could otherwise be used to find out usernames.
 */
async function noteFoundName(
  db: Db,
  { server_id, username, wanted, of_line, on_server, attempts }: Claim,
  outcome: PushResult,
): Promise<void> {
  if (outcome.ok || !wanted || on_server || attempts > 0) return;
  if (!rowsByHand.some((kind) => kind === outcome.kind)) return;
  const owner = await db
    .selectFrom('users')
    .innerJoin('auth_users', 'auth_users.id', 'users.owner_id')
    .select(['auth_users.id', 'auth_users.is_admin'])
    .where('users.id', '=', of_line)
    .executeTakeFirst();
  if (owner && !owner.is_admin) await consumeGuesses(db, takenNamesLimit, owner.id);
  if (outcome.kind === 'KEPT_BY_HAND') {
    await sql`update cccam_servers
      set names_by_hand = array_append(coalesce(names_by_hand, '{}'), ${username}::text)
      where id = ${server_id} and not ${username}::text = any (coalesce(names_by_hand, '{}'))`.execute(
      db,
    );
  }
  await lookSoon(db, server_id);
}
