import {
  cutToBytes,
  MAX_PREFIX_BYTES,
  MOST_DIGITS,
} from '@linekeeper/contract/fields/line-credentials.ts';
import type * as contract from '@linekeeper/contract/lines/line-changes.ts';
import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import { lineScope, type SignedIn, visibleTo } from '../../../domain/context/access.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';

/** Digits that a number has at least, so that names sort as they were sold. */
const LEAST_DIGITS = 4;
const HIGHEST = 10 ** MOST_DIGITS - 1;
/** Above every name with the same beginning. */
const LAST_LETTER = '\u{10FFFF}';

/** Until the account chooses a prefix: what its email begins with. */
function ownPrefix({ email }: SignedIn): string {
  const [local = ''] = email.toLowerCase().split('@');
  const name = local.replace(/[^a-z0-9._-]+/g, '').replace(/^[._-]+|[._-]+$/g, '');
  return `${cutToBytes(name || 'line', MAX_PREFIX_BYTES - 1)}-`;
}

/**
 * The account's prefix and its highest number so far. Lines of others are not counted, because their
 * numbers would tell of them.
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

/** The number of a name that was refused. */
function numberOf(name: string | undefined, prefix: string): number {
  const digits = name?.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^\d{1,6}$/.test(digits) ? Number(digits) : 0;
}

/** A name that only a line of others can have already, which the sale and the check of names say. */
export const nextLineName: Action<typeof contract.nextLineName> = async (
  { db, actor },
  { query },
) => {
  const { prefix, highest } = await readHighest(db, actor);
  const after = numberOf(query.after, prefix);
  // A name has no room for more digits, so that gaps are filled from then on.
  const last = highest >= HIGHEST ? after % HIGHEST : Math.max(highest, after);
  return { username: prefix + String(last + 1).padStart(LEAST_DIGITS, '0') };
};
