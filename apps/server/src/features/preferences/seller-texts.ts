import type * as contract from '@linekeeper/contract/accounts/seller-texts.ts';
import type { SellerTexts } from '@linekeeper/contract/accounts/seller-texts.ts';
import { languages } from '@linekeeper/contract/languages.ts';
import { textKinds } from '@linekeeper/contract/text/own-texts.ts';
import type { Db } from '../../db/transaction.ts';
import { ownTextsIn, sellerPageIn } from '../../domain/lines/seller-texts.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';

/** The account's own texts, with null for each default one. */
export async function readSellerTexts(db: Db, accountId: string): Promise<SellerTexts> {
  const row = await db
    .selectFrom('account_texts')
    .select('texts')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const own = ownTextsIn(row?.texts);
  const ofKinds = textKinds.map((kind) => {
    const given = languages.map((language) => [language, own[kind]?.[language] ?? null]);
    return [kind, Object.fromEntries(given)];
  });
  return { ...Object.fromEntries(ofKinds), page: sellerPageIn(row?.texts) } as SellerTexts;
}

/** The stored texts with the changes. Texts that the changes do not name stay. */
function merged(stored: unknown, changes: object): object {
  const before: Record<string, unknown> = { ...(stored as object | undefined) };
  const changed = Object.entries(changes).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null ? merged(before[name], value) : value,
  ]);
  return { ...before, ...Object.fromEntries(changed) };
}

export const editSellerTexts: Mutation<typeof contract.editSellerTexts, null> = {
  audit: { notAudited: 'how a seller words texts for customers' },
  commit: async (tx, { actor }, { body }) => {
    // Locks the row, so that of two browsers that change different texts both succeed.
    const { texts } = await tx
      .insertInto('account_texts')
      .values({ account_id: actor.id, texts: '{}' })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ account_id: actor.id }))
      .returning('texts')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('account_texts')
      .set({ texts: JSON.stringify(merged(texts, body)) })
      .where('account_id', '=', actor.id)
      .execute();
    return null;
  },
  reply: ({ db, actor }) => readSellerTexts(db, actor.id),
};
