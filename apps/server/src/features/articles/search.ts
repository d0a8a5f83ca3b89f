import { MAX_FOUND_ARTICLES, type TextPiece } from '@linekeeper/contract/articles.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { MATCH_ENDS, MATCH_STARTS } from './plain-text.ts';

/** More words narrow nothing down, and each costs. */
const MOST_WORDS = 10;
const LEAST_LETTERS_TO_GUESS = 4;

/** Whole and begun words, all of which an article must hold. Letters and digits need no escaping. */
function begunWords(text: string): string {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words
    .slice(0, MOST_WORDS)
    .map((word) => `${word}:*`)
    .join(' & ');
}

const wordsOf = (isFolded: boolean) => sql`article_words(articles.locale, ${sql.lit(isFolded)})`;

/** The words without accents, or as they are written. */
const queryFor = (text: string) => {
  const words = begunWords(text);
  return sql`(to_tsquery(${wordsOf(true)}, ${words}::text)
    || to_tsquery(${wordsOf(false)}, ${words}::text))`;
};

/** True for articles that hold the words, or something that is spelt much like them. */
export function holds(text: string): RawBuilder<SqlBool> {
  const words = sql<SqlBool>`articles.search @@ ${queryFor(text)}`;
  if (text.length < LEAST_LETTERS_TO_GUESS) return words;
  return sql<SqlBool>`(${words} or fold(${text}::text) <% articles.folded)`;
}

/** A title that says what is sought comes before all others. */
export const relevance = (text: string) =>
  sql<number>`ts_rank(articles.search, ${queryFor(text)})
    + word_similarity(fold(${text}::text), fold(articles.title))`;

/** With the words marked as they are written, or where there are none of these, without accents. */
function quoted(column: 'title' | 'body_text', text: string, options: string) {
  const headline = (isFolded: boolean) => sql`ts_headline(${wordsOf(isFolded)},
    parted_words(${sql.ref(`articles.${column}`)}), ${queryFor(text)},
    ${`StartSel=${MATCH_STARTS},StopSel=${MATCH_ENDS},${options}`}::text)`;
  return sql<string>`case when ${headline(false)} like ${`%${MATCH_STARTS}%`}
    then ${headline(false)} else ${headline(true)} end`;
}

export const quotedTitle = (text: string) => quoted('title', text, 'HighlightAll=true');
export const quotedBody = (text: string) =>
  quoted('body_text', text, 'MaxFragments=2,MaxWords=20,MinWords=10,FragmentDelimiter=" … "');

/** What parted_words of the migration put in. */
const PARTS = '\u0001';

/** Takes the marks of a headline apart, so that browsers get texts and never markup. */
export function piecesOf(headline: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  for (const [at, part] of headline.replaceAll(PARTS, '').split(MATCH_STARTS).entries()) {
    const [match = '', rest] = at === 0 ? ['', part] : part.split(MATCH_ENDS);
    if (match) pieces.push({ text: match, is_match: true });
    if (rest) pieces.push({ text: rest, is_match: false });
  }
  return pieces;
}

export const mostFound = sql.lit(MAX_FOUND_ARTICLES);
