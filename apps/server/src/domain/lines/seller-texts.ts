import type { SellerPage } from '@linekeeper/contract/accounts/seller-texts.ts';
import { languages } from '@linekeeper/contract/languages.ts';
import { type OwnTexts, textKinds } from '@linekeeper/contract/text/own-texts.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';

/** SQL of the language for the customer of a line: the customer's own, or else the one that the seller has chosen. */
export const languageOfCustomer = sql<string | null>`coalesce(users.language,
  (select value ->> 'language' from account_settings where account_id = users.owner_id))`;

type KeptTexts = Record<string, Record<string, string>>;

/** The own texts among what an account has stored, without those that are empty. */
export function ownTextsIn(stored: unknown): KeptTexts {
  const texts = (stored ?? {}) as OwnTexts;
  return Object.fromEntries(
    textKinds.map((kind) => {
      const given = Object.entries(texts[kind] ?? {}).flatMap(([language, text]) =>
        text ? [[language, text] as const] : [],
      );
      return [kind, Object.fromEntries(given)];
    }),
  );
}

/** The seller's details on customers' pages, as the account has stored them. */
export function sellerPageIn(stored: unknown): SellerPage {
  const page = (stored as { page?: Partial<SellerPage> } | null)?.page ?? {};
  const words = languages.map((language) => [language, page.words?.[language] || null]);
  return {
    name: page.name || null,
    words: Object.fromEntries(words) as SellerPage['words'],
    phone: page.phone || null,
    telegram: page.telegram || null,
    shows_password: page.shows_password ?? false,
  };
}

/** Plan, language, own texts and seller of a line: the facts of its texts besides the line and its servers. */
export async function readWording(db: Db, line_id: string) {
  const { stored, ...wording } = await db
    .selectFrom('users')
    .innerJoin('plans', 'plans.id', 'users.plan_id')
    .leftJoin('account_texts', 'account_texts.account_id', 'users.owner_id')
    .select(['plans.name as plan', languageOfCustomer.as('language')])
    .select('account_texts.texts as stored')
    .where('users.id', '=', line_id)
    .executeTakeFirstOrThrow();
  return { ...wording, texts: ownTextsIn(stored), seller: sellerPageIn(stored) };
}
