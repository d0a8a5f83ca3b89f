import {
  bytesOf,
  cutToBytes,
  lineUsername,
  MAX_CCCAM_NAME_BYTES,
  MAX_PREFIX_BYTES,
  MOST_DIGITS,
} from '@linekeeper/contract/fields/line-credentials.ts';
import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import { consumeGuesses, readGuessWait, releaseGuess } from '../../../domain/accounts/guesses.ts';
import { lineScope, type SignedIn, visibleTo } from '../../../domain/context/access.ts';
import { checkNames } from '../../../domain/lines/sent-names.ts';
import { findServerOfSale } from '../../../domain/machines/servers.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import { failTooManyAttempts } from '../../../platform/errors/refusal.ts';
import { takenNamesLimit } from '../../../platform/rate-limit.ts';
import { findLine, findTakenNames } from '../list/store.ts';

/**
 * Checks whether a name is free. A sale also reveals this, but costs credits if the name is free.
 * This check is free of charge, so found names are limited like wrong passwords, to prevent other
 * accounts from reading names out. Throws LINE_NOT_FOUND, SERVER_NOT_FOUND and TOO_MANY_ATTEMPTS.
 */
export const checkLineName: Action<typeof contract.checkLineName> = async (
  { actor, db },
  { body },
) => {
  const { username, line_id } = body;
  const line = line_id === undefined ? undefined : await findLine(db, lineScope(actor), line_id);
  const server = await findServerOfSale(db, body.server_id ?? line?.server_id);
  // The guess is counted before the lookup, because the refusal must not reveal if the name is taken.
  const wait = await consumeGuesses(db, takenNamesLimit, actor.id);
  if (wait > 0) failTooManyAttempts(wait);
  const given = server ? [{ server_id: server.id, username, line_id }] : [];
  const [refused] = await checkNames(db, actor, given);
  const refusal = refused?.refusal;
  const taken = await findTakenNames(db, [username]);
  const isTaken = refusal === 'USERNAME_EXISTS' || taken.size > 0;
  const problem = refusal && refusal !== 'USERNAME_EXISTS' ? refusal : null;
  const tellsOfOthers = isTaken || problem === 'NAME_SHARES_FIRST_20';
  if (!tellsOfOthers) await releaseGuess(db, takenNamesLimit, actor.id);
  return { is_free: !isTaken, problem };
};

/** Digits of a number, at least, so that names sort in the order of their sale. */
const LEAST_DIGITS = 4;
const HIGHEST = 10 ** MOST_DIGITS - 1;
/** The highest character, so that a range ends after every name with the same beginning. */
const LAST_LETTER = '\u{10FFFF}';

/** The prefix of an account that has chosen none: the first part of its email. */
function ownPrefix({ email }: SignedIn): string {
  const [local = ''] = email.toLowerCase().split('@');
  const name = local.replace(/[^a-z0-9._-]+/g, '').replace(/^[._-]+|[._-]+$/g, '');
  return `${cutToBytes(name || 'line', MAX_PREFIX_BYTES - 1)}-`;
}

/**
 * The account's prefix and its highest number so far. Lines of others are not counted, because their numbers would
 * reveal them.
 */
async function readHighest(db: Db, actor: SignedIn) {
  const number = sql`substr(users.username, length(asked.prefix) + 1)`;
  const { rows } = await sql<{ prefix: string; highest: number }>`
    with asked as (
      select coalesce(
        (select value ->> 'name_prefix' from account_settings where account_id = ${actor.id}),
        ${ownPrefix(actor)}
      ) collate "C" as prefix
    )
    select asked.prefix, coalesce(max(${number}::int), 0) as highest
    from asked left join users on users.username >= asked.prefix
      and users.username < asked.prefix || ${LAST_LETTER}::text
      and ${number} ~ ${`^[0-9]{1,${MOST_DIGITS}}$`}
      and ${visibleTo(lineScope(actor), 'users.owner_id')}
    group by asked.prefix`.execute(db);
  return rows[0] ?? { prefix: ownPrefix(actor), highest: 0 };
}

/** The number in a name; null if the name does not have the prefix. */
function numberOf(name: string | undefined, prefix: string): number {
  const digits = name?.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^\d{1,6}$/.test(digits) ? Number(digits) : 0;
}

/**
 * Suggests a name that is free among the lines that the actor sees. If another line has it, the
 * sale and the name check report that.
 */
export const nextLineName: Action<typeof contract.nextLineName> = async (
  { db, actor },
  { query },
) => {
  const { prefix, highest } = await readHighest(db, actor);
  const after = numberOf(query.after, prefix);
  // A name has no room for more digits, so from this number on gaps are filled.
  const last = highest >= HIGHEST ? after % HIGHEST : Math.max(highest, after);
  return { username: prefix + String(last + 1).padStart(LEAST_DIGITS, '0') };
};

const MOST_NUMBER = 999;

/** The name to use if no part of a name can be kept. */
const PLAIN_NAME = 'line';

/**
 * Shorter names to suggest: first the bytes that clients already send, so that receivers need no
 * change, then names with a number.
 */
function candidatesFor(username: string): string[] {
  const endings = Array.from({ length: MOST_NUMBER - 1 }, (_, index) => `-${index + 2}`);
  const bases = [username.normalize('NFC'), PLAIN_NAME];
  const cut = (base: string, ending: string) =>
    cutToBytes(base, MAX_CCCAM_NAME_BYTES - bytesOf(ending)) + ending;
  return bases
    .flatMap((base) => ['', ...endings].map((ending) => cut(base, ending)))
    .filter((name) => lineUsername.safeParse(name).data === name);
}

/** A free name for a line whose own is longer than a CCcam client sends. */
export const proposeLineName: Action<typeof contract.proposeLineName> = async (ctx, { params }) => {
  const { db, actor } = ctx;
  const { id: line_id, username, server_id } = await findLine(db, lineScope(actor), params.id);
  const candidates = candidatesFor(username);
  const wait = actor.is_admin ? 0 : await readGuessWait(db, takenNamesLimit, actor.id);
  if (wait > 0) failTooManyAttempts(wait);
  const taken = await findTakenNames(db, candidates);
  const given = candidates.map((candidate) => ({ server_id, username: candidate, line_id }));
  const refused = await checkNames(db, actor, given);
  for (const { username: name } of refused) taken.add(name);
  const free = candidates.find((name) => !taken.has(name));
  // If the shortened name is not free, the suggestion reveals another line, so it counts as a guess.
  const [first] = candidates;
  const tellsOfAnother = free !== first && first !== username.normalize('NFC');
  if (tellsOfAnother && !actor.is_admin) await consumeGuesses(db, takenNamesLimit, actor.id);
  return { username: free ?? username };
};
