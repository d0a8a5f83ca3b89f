import type { Language } from '@linekeeper/contract/languages.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';

/** Shorter words are begun rather than misspelt, and much else is like them. */
const LEAST_LETTERS = 4;
/** Words of so many letters may have two slips. */
const LETTERS_FOR_TWO_SLIPS = 8;
/** Of a word in another form, which is all that can be known of Polish ones. */
const SHARE_OF_STEM = 0.7;
const LEAST_STEM = 5;
const MOST_CANDIDATES = 100;
const MOST_GUESSES = 4;

/** How many letters were left out, added, mistaken, or changed places with the next. */
export function slipsBetween(a: string, b: string): number {
  const [from, to] = [[...a], [...b]];
  let before: number[] = [];
  let last = to.map((_, index) => index + 1);
  last.unshift(0);
  for (const [row, letter] of from.entries()) {
    const current = [row + 1];
    for (const [column, other] of to.entries()) {
      const replaced = (last[column] ?? 0) + (letter === other ? 0 : 1);
      const left = Math.min((last[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1, replaced);
      const isSwapped = row > 0 && letter === to[column - 1] && from[row - 1] === other;
      current.push(isSwapped ? Math.min(left, (before[column - 1] ?? 0) + 1) : left);
    }
    [before, last] = [last, current];
  }
  return last.at(-1) ?? 0;
}

/** The distance of a word from the typed one; null if it is too great. */
function distance(typed: string, word: string): number | null {
  // Words are found by their beginning, too, so that it may be what was misspelt.
  const begun = slipsBetween(typed, word.slice(0, typed.length));
  const slips = Math.min(slipsBetween(typed, word), begun + 1);
  if (Math.min(slips, begun) <= (typed.length < LETTERS_FOR_TWO_SLIPS ? 1 : 2)) return slips;
  const stem = Math.max(LEAST_STEM, Math.ceil(typed.length * SHARE_OF_STEM));
  return typed.length > stem && word.startsWith(typed.slice(0, stem)) ? slips : null;
}

interface Candidate {
  typed: string;
  folded: string;
  word: string;
}

/** By word that was typed, and that no article has: those that it could be, the likeliest first. */
export async function guessWords(
  db: Db,
  words: readonly string[],
  locale: Language | undefined,
): Promise<Map<string, string[]>> {
  const typed = words.filter((word) => word.length >= LEAST_LETTERS);
  if (typed.length === 0) return new Map();
  const ofLanguage = locale ? sql`and locale = ${locale}` : sql``;
  // Two letters of a short word that changed places leave few that stand as they did, but mostly the first.
  const { rows } = await sql<Candidate>`
    select typed, folded, word
    from (select typed, fold(typed) as folded from unnest(${typed}::text[]) as typed) as asked
    cross join lateral (
      select word from (
        select word from article_vocabulary where word % folded ${ofLanguage}
        union
        select word from article_vocabulary
          where word >= left(folded, 1) and word < chr(ascii(folded) + 1) ${ofLanguage}
            and abs(char_length(word) - char_length(folded)) < 2
      ) as alike
        order by similarity(word, folded) desc, word limit ${sql.lit(MOST_CANDIDATES)}
    ) as candidate
    where not exists (select from article_vocabulary
      where word like folded || '%' ${ofLanguage})`.execute(db);
  const found = rows.flatMap(({ typed, folded, word }) => {
    const slips = distance(folded, word);
    return slips === null ? [] : [{ typed, word, slips }];
  });
  const nearest = found.toSorted((one, other) => one.slips - other.slips);
  const byTyped = Map.groupBy(nearest, (guess) => guess.typed);
  return new Map(
    [...byTyped].map(([typed, guesses]) => [
      typed,
      guesses.slice(0, MOST_GUESSES).map(({ word }) => word),
    ]),
  );
}
