import { MAX_FOUND_ARTICLES, type TextPiece } from '@linekeeper/contract/articles.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Marks the start and end of a match in a headline; no font shows them, and no text keeps them. */
const MATCH_STARTS = '\ue000';
const MATCH_ENDS = '\ue001';

/** The readable words of a Markdown text as one paragraph, for search and excerpts. */
export function plainText(markdown: string): string {
  return (
    markdown
      .replaceAll(MATCH_STARTS, '')
      .replaceAll(MATCH_ENDS, '')
      .replace(/^\s*(?:```|~~~).*$/gm, '')
      // The repetitions are bounded, because a text of nothing but brackets would otherwise take minutes.
      .replace(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
      .replace(/<[^<>]{0,500}>/g, ' ')
      .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+/gm, '')
      .replace(/^[ \t]*[|:\- \t]+$/gm, '')
      .replace(/[*~`|]+/g, '')
      // An underscore within a word stays, as part of the word.
      .replace(/(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** Words of a search, at most: further words hardly narrow it down, and each costs time. */
const MOST_WORDS = 10;
const LEAST_LETTERS_TO_GUESS = 4;
/**
 * The least share of equal trigrams for which a word counts as misspelt: one wrong letter in a word
 * of six leaves this share.
 */
const LEAST_LIKENESS = 0.5;
const LEAST_LETTERS_TO_SUGGEST = 4;

/** A search for all of its words, or, while the title of a ticket is typed, for any of the longer ones. */
interface Sought {
  text: string;
  isAny: boolean;
}

/** The words of a search. Letters and digits need no escaping. */
function wordsIn({ text, isAny }: Sought): string[] {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words
    .filter((word) => !isAny || word.length >= LEAST_LETTERS_TO_SUGGEST)
    .slice(0, MOST_WORDS);
}

/** The words as beginnings of words, except single letters: some word of every article begins with each. */
function begunWords(sought: Sought): string {
  return wordsIn(sought)
    .map((word) => (word.length > 1 ? `${word}:*` : word))
    .join(sought.isAny ? ' | ' : ' & ');
}

const wordsOf = (isFolded: boolean) => sql`article_words(articles.locale, ${sql.lit(isFolded)})`;

/** The full-text query for the words, with and without accents. */
const queryFor = (sought: Sought) => {
  const words = begunWords(sought);
  return sql`(to_tsquery(${wordsOf(true)}, ${words}::text)
    || to_tsquery(${wordsOf(false)}, ${words}::text))`;
};

/** SQL of how much of the search is in some part of the title, by trigrams. */
const likeTitle = (sought: Sought) =>
  sql<number>`word_similarity(fold(${wordsIn(sought).join(' ')}::text), fold(articles.title))`;

/**
 * SQL condition: the article contains words that begin with the words of the search. All of them
 * must match, or at least one if the search has `isAny`.
 */
export const holdsWords = (sought: Sought) =>
  sql<SqlBool>`(articles.search @@ ${queryFor(sought)})`;

/** SQL condition: the article has the words, or a title that is spelt much like them. */
export function holds(sought: Sought): RawBuilder<SqlBool> {
  if (wordsIn(sought).join(' ').length < LEAST_LETTERS_TO_GUESS) return holdsWords(sought);
  return sql<SqlBool>`(${holdsWords(sought)} or ${likeTitle(sought)} >= ${sql.lit(LEAST_LIKENESS)})`;
}

/** The rank of an article; a title that contains the words counts most. */
export const relevance = (sought: Sought) =>
  sql<number>`ts_rank(articles.search, ${queryFor(sought)}) + ${likeTitle(sought)}`;

/**
 * The most characters of a text in which a quotation is searched for: the time grows with the square of their number.
 */
const QUOTED_FROM = 2000;
const QUOTED_BEFORE = 200;
/**
 * SQL of the position at which a word of the text begins with one of `begun`, separated by `|`; null if no word does.
 */
const positionOf = (begun: RawBuilder<unknown>) =>
  sql`nullif(regexp_instr(substr(articles.folded, char_length(articles.title) + 2),
    '\\m(' || fold(${begun}) || ')'), 0)`;

/**
 * SQL of the part of the text around the first of the words, or around their stems if the text has
 * only other forms of them.
 */
function aroundWords(sought: Sought) {
  const words = wordsIn(sought);
  const stemsIn = (isFolded: boolean) =>
    sql`to_tsvector(${wordsOf(isFolded)}, ${words.join(' ')}::text)`;
  const stems = sql`array_to_string(tsvector_to_array(${stemsIn(true)} || ${stemsIn(false)}), '|')`;
  const found = sql`coalesce(${positionOf(sql`${words.join('|')}::text`)}, ${positionOf(stems)}, 1)`;
  return sql`substr(articles.body_text, greatest(1, ${found} - ${sql.lit(QUOTED_BEFORE)}),
    ${sql.lit(QUOTED_FROM)})`;
}

/**
 * SQL of a quotation with the search's words marked as they are written, or, if the text has none
 * of these, compared without accents.
 */
function quoted(text: RawBuilder<unknown>, sought: Sought, options: string) {
  const headline = (isFolded: boolean) => sql`ts_headline(${wordsOf(isFolded)}, text, query,
    ${`StartSel=${MATCH_STARTS},StopSel=${MATCH_ENDS},${options}`}::text)`;
  // Each part has `offset 0`, because the database would otherwise compute an expression again for each use.
  return sql<string>`(
    select case when as_written like ${`%${MATCH_STARTS}%`} then as_written
        else ${headline(true)} end
      from (select text, query, ${headline(false)} as as_written
        from (select parted_words(${text}) as text, ${queryFor(sought)} as query offset 0) as part
        offset 0) as quoted)`;
}

export const quotedTitle = (sought: Sought) =>
  quoted(sql.ref('articles.title'), sought, 'HighlightAll=true');
export const quotedBody = (sought: Sought) =>
  quoted(
    aroundWords(sought),
    sought,
    'MaxFragments=2,MaxWords=20,MinWords=10,FragmentDelimiter=" … "',
  );

/** The separator that the migration's function parted_words inserts. */
const PARTS = '\u0001';

/**
 * Splits a quotation made by `ts_headline` into words that match the search and the text between them, so that browsers get
 * texts and never markup.
 */
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
