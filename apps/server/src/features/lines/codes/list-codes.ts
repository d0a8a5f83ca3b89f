import { createHash } from 'node:crypto';
import type * as contract from '@linekeeper/contract/credits/activation-codes.ts';
import type { ActivationCode } from '@linekeeper/contract/credits/activation-codes.ts';
import { codeKey } from '@linekeeper/contract/credits/redeem-codes.ts';
import { activationCodesList } from '@linekeeper/contract/lists/lists.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import { isVisibleTo, lineScope, type SignedIn } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import { escapeLike } from '../../../platform/paging/escape-like.ts';
import { filtered, type SortColumns } from '../../../platform/paging/filtered.ts';
import { readPage } from '../../../platform/paging/pages.ts';
import { sentRow } from '../../../platform/rows.ts';

/** The hash by which a code is found, the same for all its spellings. A code has 80 random bits, so it needs no salt. */
export const hashOfCode = (code: string): string =>
  createHash('sha256').update(codeKey(code)).digest('hex');

const status = sql<ActivationCode['status']>`case
  when activation_codes.used_at is not null then 'used'
  when activation_codes.refunded_at is not null then 'refunded'
  else 'unused' end`;

const sorts: SortColumns<typeof activationCodesList> = {
  created_at: { ref: 'activation_codes.created_at', type: 'timestamptz' },
};

/** Only its seller sees a code, because every reader could use it. */
const codesOf = (db: Db, { id }: SignedIn) =>
  db.selectFrom('activation_codes').where('activation_codes.seller_id', '=', id);

/** The seller's codes with what was paid for each, and its line. */
const selectCodes = (db: Db, actor: SignedIn) =>
  codesOf(db, actor)
    .leftJoin('users as line', (join) =>
      join
        .onRef('line.id', '=', 'activation_codes.line_id')
        .on(isVisibleTo(lineScope(actor), 'line.owner_id')),
    )
    .select(['activation_codes.id', 'activation_codes.code', 'activation_codes.plan_id'])
    .select(['activation_codes.months', 'activation_codes.note', 'activation_codes.created_at'])
    .select(['activation_codes.used_at', 'activation_codes.refunded_at', status.as('status')])
    .select(['line.id as line_id', 'line.username'])
    .select(
      sql<number>`coalesce((select amount from credit_transfers
        where line_id = activation_codes.line_id and kind = 'sale'), 0)`.as('cost'),
    );

type CodeRow = Awaited<ReturnType<ReturnType<typeof selectCodes>['execute']>>[number];

const toCode = ({ secrets }: Pick<Ctx, 'secrets'>, row: CodeRow): ActivationCode =>
  sentRow({ ...row, cost: Number(row.cost), code: secrets.open(row.code, row.id) });

export const listActivationCodes: Action<typeof contract.listActivationCodes> = async (
  ctx,
  { query },
) => {
  const { db, actor } = ctx;
  const matching = filtered(activationCodesList, codesOf(db, actor), query, {
    status,
    q: (text) => {
      const pattern = `%${escapeLike(text)}%`;
      return sql<SqlBool>`(code_hash = ${hashOfCode(text)} or fold(note) like fold(${pattern})
        or exists (select from users where users.id = activation_codes.line_id
          and username like ${pattern} and ${isVisibleTo(lineScope(actor), 'users.owner_id')}))`;
    },
  });
  const rows = selectCodes(db, actor);
  const page = await readPage(db, query, sorts, 'activation_codes.id', matching, rows);
  return { ...page, items: page.items.map((row) => toCode(ctx, row)) };
};

/** The actor's codes with these ids, in the order in which they were made. */
export async function findActivationCodes(ctx: Ctx, ids: readonly string[]) {
  const rows = await selectCodes(ctx.db, ctx.actor)
    .where(sql<SqlBool>`activation_codes.id = any(${ids}::uuid[])`)
    .orderBy('activation_codes.id')
    .execute();
  return rows.map((row) => toCode(ctx, row));
}
