import type * as contract from '@linekeeper/contract/activity.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import type { ActivityKind } from '@linekeeper/contract/lists/lists.ts';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { isOfCode } from '../../domain/audit/act-facts.ts';
import {
  accountScope,
  isVisibleTo,
  lineScope,
  requireVisible,
  type Scope,
  visibleTo,
} from '../../domain/context/access.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { withinDays } from '../../platform/clock.ts';
import { escapeLike, likeFolded } from '../../platform/paging/escape-like.ts';
import {
  type HistoryPart,
  readHistory,
  type Scopes,
  type Source,
  scopesOf,
} from './read-history.ts';

type Filters = Omit<Parsed<typeof contract.accountActivity>['query'], 'limit' | 'cursor' | 'sort'>;
type Condition = Expression<SqlBool>;

/** Acts on an account that are about getting into it. */
const accessActs = [
  'account.change_password',
  'account.reset_password',
  'account.reset_on_machine',
  'account.two_factor_on',
  'account.two_factor_off',
  'account.new_recovery_codes',
  'account.use_recovery_code',
  'account.reset_link',
  'account.mail_link',
  'account.sign_in',
  'account.sign_out',
  'account.wrong_password',
  'account.create_api_key',
  'account.revoke_api_key',
];
/** The first words of the other acts. */
const wordsOf = {
  lines: ['line', 'job', 'sync'],
  credits: ['credits', 'code', 'package', 'topup'],
  account: ['account'],
};

const listOf = (texts: readonly string[]) => sql.join(texts.map((text) => sql.lit(text)));
const isAccess = sql<SqlBool>`action in (${listOf(accessActs)})`;
const beginsWith = (words: readonly string[]) =>
  sql<SqlBool>`split_part(action, '.', 1) in (${listOf(words)})`;

const actsOf: Record<ActivityKind, Condition> = {
  lines: beginsWith(wordsOf.lines),
  credits: beginsWith(wordsOf.credits),
  access: isAccess,
  account: sql<SqlBool>`${beginsWith(wordsOf.account)} and not ${isAccess}`,
  other: sql<SqlBool>`not ${beginsWith(Object.values(wordsOf).flat())}`,
};

const always = sql<SqlBool>`true`;
/** The condition of a part that the reader may not see. */
const never = sql<SqlBool>`false`;

function isOfKind(source: Source, kind: ActivityKind): Condition {
  if (source === 'audit') return actsOf[kind];
  if (kind === 'lines') return source === 'push' ? always : sql<SqlBool>`line_id is not null`;
  return source === 'transfer' && kind === 'credits' ? always : never;
}

/** More lines or accounts of a name than this are not looked for. */
const MOST_NAMED = 200;

/** Lines and accounts that the reader sees, with a name like this. */
async function readNamedIds(db: Db, scopes: Scopes, q: string): Promise<string[]> {
  const pattern = likeFolded(q);
  const { rows } = await sql<{ id: string }>`
    (select id from users where search like ${pattern} and fold(username) like ${pattern}
      and ${visibleTo(scopes.lines, 'users.owner_id')} limit ${MOST_NAMED})
    union all (select id from auth_users where auth_users.search like ${pattern}
      and ${visibleTo(scopes.accounts, 'auth_users.id')} limit ${MOST_NAMED})`.execute(db);
  return rows.map(({ id }) => id);
}

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
const subject = sql`case when subject_id ~ ${sql.lit(UUID)} then subject_id::uuid end`;

/** A search must not reveal facts about a subject that belongs to others by now. */
const isForeign = ({ lines, accounts }: Scopes) => sql<SqlBool>`(
  exists (select from users where users.id = ${subject}
    and not ${isVisibleTo(lines, 'users.owner_id')})
  or exists (select from auth_users where auth_users.id = ${subject}
    and not ${isVisibleTo(accounts, 'auth_users.id')}))`;

/** The expression of the index on the audit log's words. */
const words = sql`folded_audit_words(subject_id, data, before, after, address, request_id)`;
/** The texts of an entry that others than administrators may search: no ids, no address. */
const searchableWords = sql`folded_audit_words('',
  data - '{job_id,transfer_id,code_id,api_key_id,to_server_id,browser,system}'::text[],
  before - '{owner_id,server_id}'::text[], after - '{owner_id,server_id}'::text[], null, null)`;

/** Tickets and messages belong to their owner and the administrators: accounts above the owner do not see them. */
const isOwnOrShared = ({ credits }: Scopes) => sql<SqlBool>`(
  subject_type not in ('ticket', 'message', 'contact') or actor_id = ${credits.account_id})`;

async function searchFor(db: Db, scopes: Scopes, q: string, isAdmin: boolean) {
  const pattern = likeFolded(q);
  const code = `%${escapeLike(q)}%`;
  const ids = await readNamedIds(db, scopes, q);
  const isNamed = (column: string) => sql<SqlBool>`${sql.ref(column)} = any(${ids}::uuid[])`;
  const isWritten = isAdmin
    ? sql<SqlBool>`${words} like ${pattern}`
    : sql<SqlBool>`${searchableWords} like ${pattern} and not ${isForeign(scopes)}`;
  const conditions: Record<Source, Condition> = {
    audit: sql<SqlBool>`(${isNamed('actor_id')} or subject_id = any(${ids}::text[]) or (${isWritten})
      or ${isOfCode(scopes.credits, code)})`,
    transfer: sql<SqlBool>`(fold(note) like ${pattern} or fold(username) like ${pattern}
      or ${isNamed('from_id')} or ${isNamed('to_id')} or ${isNamed('actor_id')})`,
    push: sql<SqlBool>`(fold(username) like ${pattern} or ${isNamed('line_id')})`,
  };
  return conditions;
}

/** The parts of a history, each with the conditions of the filters added. */
async function filterParts(
  db: Db,
  parts: readonly HistoryPart[],
  { q, kind, from, to }: Filters,
  reader: { scopes: Scopes; isAdmin: boolean; time_zone: string },
): Promise<HistoryPart[]> {
  const found = q ? await searchFor(db, reader.scopes, q, reader.isAdmin) : undefined;
  const within = withinDays('created_at', { from, to }, reader.time_zone);
  const and = (where: RawBuilder<unknown>, more: Condition[]) =>
    more.reduce<RawBuilder<unknown>>((all, one) => sql`${all} and ${one}`, sql`(${where})`);
  return parts.map(({ source, where }) => {
    const kinds = kind?.map((one) => sql`(${isOfKind(source, one)})`);
    const isMeant = kinds ? [sql<SqlBool>`(${sql.join(kinds, sql` or `)})`] : [];
    return {
      source,
      where: and(where, [...within, ...isMeant, ...(found ? [found[source]] : [])]),
    };
  });
}

export const accountActivity: Action<typeof contract.accountActivity> = async (ctx, input) => {
  const { db, actor } = ctx;
  const { id } = input.params;
  await requireVisible(db, 'auth_users', accountScope(actor), id);
  const isBelow = await db
    .selectFrom('account_tree')
    .select('account_id')
    .where('ancestor_id', '=', actor.id)
    .where('account_id', '=', id)
    .executeTakeFirst();
  const scopes = scopesOf(ctx);
  const { credits } = scopes;
  const lines = lineScope(actor);
  const isSubject = sql`subject_type = 'account' and subject_id = ${id}`;
  const seesCredits = credits.sees_all || isBelow;
  const seesLines = lines.sees_all || isBelow;
  const isTold = actor.is_admin ? sql`true` : isOwnOrShared(scopes);
  const parts: HistoryPart[] = [
    { source: 'audit', where: isSubject },
    { source: 'audit', where: sql`actor_id = ${id} and not (${isSubject}) and ${isTold}` },
    { source: 'transfer', where: seesCredits ? sql`from_id = ${id}` : never },
    { source: 'transfer', where: seesCredits ? sql`to_id = ${id}` : never },
    { source: 'push', where: seesLines ? sql`owner_id = ${id}` : never },
  ];
  const reader = { scopes, isAdmin: actor.is_admin, time_zone: ctx.config.time_zone };
  return readHistory(ctx, input.query, await filterParts(db, parts, input.query, reader), id);
};

/**
 * When a line last came from an account that is not seen; what was before is that account's own. The
 * moment has microseconds, so it stays a text.
 */
async function readArrival(db: Db, scope: Scope, id: string): Promise<string> {
  if (scope.sees_all) return '-infinity';
  const { rows } = await sql<{ moment: string | null }>`
    select max(created_at)::text as moment from audit_log
      where subject_type = 'line' and subject_id = ${id} and jsonb_exists(after, 'owner_id')
        and before ->> 'owner_id' not in (
          select account_id::text from account_tree where ancestor_id = ${scope.account_id})`.execute(
    db,
  );
  return rows[0]?.moment ?? '-infinity';
}

export const lineActivity: Action<typeof contract.lineActivity> = async (ctx, input) => {
  const { db, actor } = ctx;
  const { id } = input.params;
  const scope = lineScope(actor);
  await requireVisible(db, 'users', scope, id);
  const { credits } = scopesOf(ctx);
  const since = sql`created_at >= ${await readArrival(db, scope, id)}::timestamptz`;
  return readHistory(ctx, input.query, [
    {
      source: 'audit',
      where: sql`subject_type = 'line' and subject_id = ${id} and ${since}`,
    },
    {
      source: 'transfer',
      where: sql`line_id = ${id} and ${since}
        and (${visibleTo(credits, 'from_id')} or ${visibleTo(credits, 'to_id')})`,
    },
    { source: 'push', where: sql`line_id = ${id} and ${since}` },
  ]);
};
